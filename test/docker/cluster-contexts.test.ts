import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterContexts } from '../../server/kubernetes/contexts.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const LIMIT = 10
const look = (env: NodeJS.ProcessEnv = {}, limit = LIMIT) => clusterContexts({ env, home }, limit)

function write(name: string, text: string): string {
  const path = join(home, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: team
clusters:
- name: far
  cluster: {server: "https://me:secret@cluster.example:6443/path?token=secret"}
contexts:
- name: team
  context: {cluster: far, user: me, namespace: agents}
- name: broken
- name: other
  context: {cluster: unknown, user: me}
`

test('contexts are those of the usual kubeconfig, without what may be a credential', async () => {
  expect(await look()).toEqual([])
  write('.kube/config', KUBECONFIG)
  expect(await look()).toEqual([
    { name: 'team', server: 'https://cluster.example:6443', namespace: 'agents' },
    { name: 'other', server: null, namespace: null },
  ])
  expect(await look({}, 1)).toHaveLength(1)
})

test('of several files the first that names something counts', async () => {
  write('.kube/config', KUBECONFIG)
  const one = write('one', 'contexts: [{name: team, context: {cluster: near}}]\nclusters: []')
  const two = write('two', `${KUBECONFIG}- name: near\n  context: {cluster: far}\n`)
  const three = write('three', 'clusters: [{name: near, cluster: {server: "https://10.0.0.1"}}]')
  const KUBECONFIG_LIST = [one, join(home, 'gone'), two, three].join(delimiter)
  expect(await look({ KUBECONFIG: KUBECONFIG_LIST })).toEqual([
    { name: 'team', server: 'https://10.0.0.1', namespace: null },
    { name: 'other', server: null, namespace: null },
    { name: 'near', server: 'https://cluster.example:6443', namespace: null },
  ])
})

test.each(['', '- a list', 'contexts: text', 'contexts: [1, {name: 3}]', '{', '&a [*a, *a]', '\0'])(
  'what is no kubeconfig has no contexts: %j',
  async text => {
    write('.kube/config', text)
    expect(await look()).toEqual([])
  },
)

test('a folder in its place, and a file without end, are passed over', async () => {
  mkdirSync(join(home, '.kube', 'config'), { recursive: true })
  expect(await look()).toEqual([])
  expect(await look({ KUBECONFIG: '/dev/zero' })).toEqual([])
})
