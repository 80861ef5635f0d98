import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { deleteSandbox, pauseSandbox, resumeSandbox, searchSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec } from '../../server/api/v1/sandbox/specs.ts'
import { addEngine, listAvailableEngines, listEngines } from '../../server/api/v1/system/engines.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import type { ClusterClient } from '../../server/kubernetes/client.ts'
import { it as base } from '../fixtures/keyring.ts'
import { scripted } from '../fixtures/service.ts'
import { IMAGE, kubeconfigOf, openClient } from '../parts/kubernetes/cluster.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { startTestService } from '../parts/service/service.ts'
import { TestFolder } from '../parts/test-folder.ts'

const { DOCKER_HOST, KUBECONFIG } = process.env
const namespace = `atelier-${randomBytes(4).toString('hex')}`

/** Where the objects of our manifests are made. */
const PATHS: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  NetworkPolicy: `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
  ResourceQuota: `/api/v1/namespaces/${namespace}/resourcequotas`,
  Role: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
}

const it = base
  .extend('client', { scope: 'file' }, async ({}, { onCleanup }) => {
    const client = await openClient()
    onCleanup(async () => {
      await client.request('DELETE', `/api/v1/namespaces/${namespace}`)
      client.close()
    })
    return client
  })
  /** A kubeconfig of somebody who may do what our manifests grant, and nothing else. */
  .extend('kubeconfig', { scope: 'file' }, async ({ client }, { onCleanup }) => {
    for (const file of ['namespace', 'rights', 'quota']) await apply(client, file)
    const folder = new TestFolder()
    onCleanup(() => folder.remove())
    const path = join(folder.path, 'kubeconfig')
    writeFileSync(path, await kubeconfigOf({ token: await tokenOf(client), namespace }), { mode: 0o600 })
    return path
  })
  .extend('service', { scope: 'file' }, async ({ model, kubeconfig }, { onCleanup }) => {
    // There is no other engine.
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock'
    process.env.KUBECONFIG = kubeconfig
    const folder = new TestFolder()
    const service = await startTestService({ settings: scripted(model), dataDir: folder.path })
    onCleanup(async () => {
      // There is no Docker engine to remove anything from, and the namespace goes with all that is in it.
      await service.close().catch(() => {})
      folder.remove()
    })
    return service
  })

afterAll(() => {
  for (const [name, value] of Object.entries({ DOCKER_HOST, KUBECONFIG })) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

async function apply(client: ClusterClient, file: string): Promise<void> {
  const text = readFileSync(join(projectFolder, 'build', 'kubernetes', `${file}.yaml`), 'utf8')
  const renamed = text
    .replaceAll('namespace: atelier', `namespace: ${namespace}`)
    .replaceAll('resourceNames: [atelier]', `resourceNames: [${namespace}]`)
  for (const document of parseAllDocuments(renamed)) {
    const body = document.toJS()
    // The cluster makes this one by itself.
    if (body.kind === 'ServiceAccount') continue
    if (body.kind === 'Namespace') body.metadata.name = namespace
    await client.request('POST', PATHS[body.kind] ?? '', { body })
  }
}

async function tokenOf(client: ClusterClient): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await client.request('POST', accounts, { body: { metadata: { name: 'person' } } })
  await client.request('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
    body: {
      metadata: { name: 'atelier' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'atelier' },
      subjects: [{ kind: 'ServiceAccount', name: 'person', namespace }],
    },
  })
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const made = await client.request<{ status: { token: string } }>('POST', `${accounts}/person/token`, { body })
  return made.status.token
}

it('with the rights of the manifests alone, an agent works in a sandbox of the cluster', async ({ service, model }) => {
  const { client, url, key } = service
  const { items } = await client.call(listAvailableEngines, {})
  const [available] = items.filter(({ address }) => address.kind === 'kubernetes')
  const { id } = await client.call(addEngine, {
    body: { name: 'Team', address: available?.address ?? { kind: 'context', name: '' } },
  })
  const engine = async () => (await client.call(listEngines, {})).items.find(each => each.id === id)
  await expect.poll(async () => (await engine())?.status).toMatchObject({ state: 'ready', name: 'Kubernetes' })

  const spec = await client.call(createSandboxSpec, {
    body: { title: 'On the cluster', image: IMAGE, engine_id: id, is_default: true },
  })
  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: 'echo $((6 * 7)) > answer && cat answer && pwd' } }] },
    { text: 'It is 42.' },
  ])
  const atelier = new Atelier({ url, key, connect: openWebSocket })
  const { conversation, response } = await atelier.run({ message: 'Find the answer' }).then(async result => ({
    conversation: (await client.call(searchSandboxes, { query: {} })).items[0],
    response: JSON.stringify(result),
  }))
  expect(response).toContain('It is 42.')
  expect(JSON.stringify(model.requests)).toContain('42\\n/workspace/project')
  const sandbox_id = conversation?.id ?? ''
  expect(conversation).toMatchObject({ status: 'RUNNING', engine_id: id, sandbox_spec_id: spec.id })

  await client.call(pauseSandbox, { params: { sandbox_id } })
  await client.call(resumeSandbox, { params: { sandbox_id } })
  const sandbox = atelier.sandbox(sandbox_id)
  await expect.poll(async () => (await sandbox.info()).status).toBe('RUNNING')
  expect(await sandbox.run('cat /workspace/project/answer')).toMatchObject({ stdout: '42\n' })

  await client.call(deleteSandbox, { params: { sandbox_id } })
  expect(await engine()).toMatchObject({ sandboxes: 0 })
})
