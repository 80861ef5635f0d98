import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { EVERYWHERE } from '../../../server/api/v1/sandbox/cluster.ts'
import type { ContainerRequest } from '../../../server/docker/engine.ts'
import { claimOf, type OwnImage, podOf } from '../../../server/kubernetes/pod.ts'
import { requestOf } from '../../../server/kubernetes/request.ts'
import { type Claim, knownOf, metaOf, type Pod } from '../../../server/kubernetes/state.ts'
import { SANDBOX } from '../../../server/sandbox/spec.ts'
import { projectFolder } from '../../parts/project-folder.ts'

const OWN: OwnImage = { name: 'atelier/sandbox:1', reference: null, pullSecrets: [] }
const { capabilities } = SANDBOX

function request(more: Partial<ContainerRequest> = {}): ContainerRequest {
  return {
    name: 'atelier-one',
    image: OWN.name,
    entrypoint: ['sleep', '1000'],
    command: [],
    workingDir: '/workspace/project',
    env: {},
    labels: {},
    ports: [8011],
    user: '0:0',
    memoryBytes: 2 ** 30,
    cpus: 1,
    pids: 100,
    capabilities: { drop: [...capabilities.drop], add: [...capabilities.add] },
    network: 'bridge',
    extraHosts: [],
    mounts: [],
    ...more,
  }
}

function podFor(
  asked: ContainerRequest,
  { image = OWN, claim = 'one' }: { image?: OwnImage; claim?: string | null } = {},
) {
  return podOf({ request: asked, image, closedRules: ['nft', ''], claim })
}

function imagesOf({ spec }: ReturnType<typeof podOf>) {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ image, imagePullPolicy }) => [
    image,
    imagePullPolicy,
  ])
}

it('has the pods of sandboxes, and no other, selected by the network policy of the manifests', () => {
  const manifest = readFileSync(join(projectFolder, 'build', 'kubernetes', 'namespace.yaml'), 'utf8')
  const policy = parseAllDocuments(manifest)
    .map(document => document.toJS())
    .find(({ kind }) => kind === 'NetworkPolicy')
  const selected = policy.spec.podSelector.matchLabels
  expect(podFor(request()).metadata?.labels).toMatchObject(selected)
  const alone = podFor(request({ isShortLived: true }), { claim: null })
  expect(alone.metadata?.labels).not.toMatchObject(selected)
})

it('asks no registry for an image of its own name', () => {
  expect(imagesOf(podFor(request()))).toEqual(Array.from({ length: 3 }, () => [OWN.name, 'Never']))
  const other = imagesOf(podFor(request({ image: 'node:22' })))
  expect(other.filter(([, policy]) => policy === 'IfNotPresent')).toEqual([['node:22', 'IfNotPresent']])
})

it('takes its own image from where an engine says that it is, with the secrets of the engine', () => {
  const reference = 'registry.example.com/atelier@sha256:1'
  const image = { ...OWN, reference, pullSecrets: ['team'] }
  const pod = podFor(request({ cluster: { ...EVERYWHERE, image_pull_secrets: ['own', 'team'] } }), { image })
  expect(imagesOf(pod)).toEqual(Array.from({ length: 3 }, () => [reference, 'IfNotPresent']))
  expect(pod.spec?.imagePullSecrets).toEqual([{ name: 'team' }, { name: 'own' }])
  const alone = podFor(request({ isShortLived: true }), { image, claim: null })
  expect(alone.spec?.imagePullSecrets).toEqual([{ name: 'team' }])
})

it('lets the cluster put nothing in the place of what stands in a command or a variable', () => {
  const [main] =
    podFor(request({ entrypoint: ['echo', '$$ $(HOME) $$(HOME)'], env: { A: '$$$(A)' } })).spec?.containers ?? []
  expect(main?.command?.at(-1)).toBe('$$$$ $$(HOME) $$$$(HOME)')
  expect(main?.env).toEqual([{ name: 'A', value: '$$$$$$(A)' }])
})

/** As the cluster gives it back, after somebody has written something into its annotations. */
function claimWith(change: (request: Record<string, unknown>) => unknown): Claim {
  const claim = JSON.parse(JSON.stringify(claimOf(request()))) as Claim
  const annotations = claim.metadata?.annotations ?? {}
  const changed = change(JSON.parse(annotations['atelier.dev/request'] ?? ''))
  annotations['atelier.dev/request'] = JSON.stringify(changed)
  return claim
}

it('reads what it has written', () => {
  expect(requestOf(metaOf(claimWith(same => same)) ?? {}, capabilities)).toEqual(request())
})

it.each<[what: string, change: (request: Record<string, unknown>) => unknown]>([
  ['nothing', () => ({})],
  ['rights', same => ({ ...same, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } })],
  ['rights that are not taken away', same => ({ ...same, capabilities: { drop: [], add: [] } })],
  ['another name', same => ({ ...same, name: 'atelier-two' })],
  ['a hundred thousand ports', same => ({ ...same, ports: Array.from({ length: 100_000 }, (_, index) => index + 1) })],
  ['folders of a node', same => ({ ...same, mounts: [{ hostPath: '/', containerPath: '/host', readOnly: false }] })],
])('makes nothing of a record in which somebody has written %s', (_what, change) => {
  const claim = claimWith(change)
  expect(requestOf(metaOf(claim) ?? {}, capabilities)).toBeUndefined()
  const pod = { metadata: claim.metadata, status: { containerStatuses: [] } } as unknown as Pod
  expect(knownOf({ claim, pod }, capabilities).state).toMatchObject({
    ...{ name: 'atelier-one', status: 'dead', ports: {} },
    error: 'Its record in the cluster was changed by somebody else. Delete it.',
  })
})

it('takes no object for a part of another container than that of its own name', () => {
  const claim = claimWith(same => ({ ...same, name: 'atelier-two' }))
  Object.assign(claim.metadata?.annotations ?? {}, { 'atelier.dev/name': 'atelier-two' })
  expect(knownOf({ claim, pod: undefined }, capabilities).state).toMatchObject({ name: 'atelier-one', status: 'dead' })
})
