import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { SANDBOX_NETWORKS } from '../../../server/api/network-policy.ts'
import { EVERYWHERE } from '../../../server/api/v1/sandbox/cluster.ts'
import { writeLabels } from '../../../server/docker/container/labels.ts'
import type { ContainerRequest } from '../../../server/docker/engine.ts'
import { networkLabel, type ObjectMeta } from '../../../server/kubernetes/objects.ts'
import { claimOf, type OwnImage, podOf } from '../../../server/kubernetes/pod.ts'
import { requestOf } from '../../../server/kubernetes/request.ts'
import { type Claim, knownOf, metaOf, type Pod } from '../../../server/kubernetes/state.ts'
import { PRIVATE_RANGES } from '../../../server/outbound/address.ts'
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

const OWNER = 'Ada Lovelace@laptop'

function podFor(
  asked: ContainerRequest,
  { image = OWN, claim = { name: 'one', uid: 'uid-1' } }: { image?: OwnImage; claim?: ObjectMeta | null } = {},
) {
  return podOf({ request: asked, image, closedRules: ['nft', ''], claim, owner: OWNER })
}

const manifests = parseAllDocuments(readFileSync(join(projectFolder, 'build', 'kubernetes', 'network.yaml'), 'utf8'))
const networkPolicies = manifests.map(document => document.toJS())

/** Names of the policies of the manifests that hold for a pod with these labels. */
function policiesFor(labels: Record<string, string> = {}): string[] {
  const holds = (selected: Record<string, string>) =>
    Object.entries(selected).every(([key, value]) => labels[key] === value)
  return networkPolicies.filter(each => holds(each.spec.podSelector.matchLabels)).map(each => each.metadata.name)
}

function imagesOf({ spec }: ReturnType<typeof podOf>) {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ image, imagePullPolicy }) => [
    image,
    imagePullPolicy,
  ])
}

it.each(SANDBOX_NETWORKS)(
  'has the pods of sandboxes with the network %s selected by its policy of the manifests',
  network => {
    const labels = writeLabels({ instanceId: 'a', specId: 'b', createdAt: '2026-01-01T00:00:00Z', network: 'full' })
    const claim = { name: 'one', uid: 'uid-1', labels: networkLabel(network) }
    const policies = policiesFor(podFor(request({ labels }), { claim }).metadata?.labels)
    expect(policies).toEqual(['nobody-comes-in', `network-${network}`])
  },
)

it('has the pods of programs of ours selected by theirs alone', () => {
  const alone = podFor(request({ isShortLived: true }), { claim: null })
  expect(policiesFor(alone.metadata?.labels)).toEqual(['sandboxes-reach-the-gateway'])
})

it('keeps sandboxes of the manifests from what the rules in them refuse, and from nothing else', () => {
  const blocks = networkPolicies
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to }) => to)
    .flatMap(each => each.ipBlock ?? [])
  const of = (cidr: string) => blocks.filter(each => each.cidr === cidr).map(({ except }) => except.toSorted())
  const inGlobal = (range: string) => ipaddr.parseCIDR(range)[0].match(ipaddr.parseCIDR('2000::/3'))
  expect(of('0.0.0.0/0')).toEqual([PRIVATE_RANGES.ipv4.toSorted(), PRIVATE_RANGES.ipv4.toSorted()])
  const ipv6 = PRIVATE_RANGES.ipv6.filter(inGlobal).toSorted()
  expect(of('2000::/3')).toEqual([ipv6, ipv6])
})

it('says in labels what and whose an object is, and has a pod go with its claim', () => {
  const specId = 'registry.example.com/team/a-very-long-name-of-an-image:with-a-tag@sha256:0123'
  const labels = writeLabels({ instanceId: 'one', specId, createdAt: '2026-01-01T00:00:00Z', network: 'allowlist' })
  const expected = {
    'app.kubernetes.io/managed-by': 'atelier',
    'atelier.dev/sandbox': 'atelier-one',
    'atelier.dev/instance': 'one',
    'atelier.dev/spec': 'registry.example.com-team-a-very-long-name-of-an-image-with-a-t',
    'atelier.dev/owner': 'Ada-Lovelace-laptop',
    'atelier.dev/network': 'allowlist',
  }
  const claim = claimOf(request({ labels }), OWNER)
  const pod = podFor(request({ labels }))
  for (const { metadata } of [claim, pod]) {
    expect(metadata?.labels).toMatchObject(expected)
    expect(metadata?.annotations).toMatchObject({ 'atelier.dev/owner': OWNER })
    for (const value of Object.values(metadata?.labels ?? {})) {
      expect(value).toMatch(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)
    }
  }
  expect(pod.metadata?.ownerReferences).toEqual([
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'one', uid: 'uid-1' },
  ])
})

it('bounds the time and the disk of a pod where its spec does', () => {
  const cluster = { ...EVERYWHERE, active_deadline_seconds: 3600 }
  const bounded = podFor(request({ cluster, diskBytes: 2 ** 30 })).spec
  expect(bounded?.activeDeadlineSeconds).toBe(3600)
  expect(bounded?.containers[0]?.resources).toMatchObject({
    limits: { 'ephemeral-storage': String(2 ** 30) },
    requests: { 'ephemeral-storage': String(2 ** 28) },
  })
  const free = podFor(request()).spec
  expect(free).not.toHaveProperty('activeDeadlineSeconds')
  expect(free?.containers[0]?.resources?.limits).not.toHaveProperty('ephemeral-storage')
})

it.each([
  ['DeadlineExceeded', undefined, 'The cluster has ended it: its pod has run as long as its spec lets it.'],
  ['Evicted', 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi.', 'Its node has ended it.'],
])('says why a pod was ended: %s', (reason, message, expected) => {
  const claim = claimWith(same => same)
  const containerStatuses = [{ name: 'main', state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }]
  const status = { phase: 'Failed', reason, message, containerStatuses }
  const pod = { metadata: claim.metadata, status } as unknown as Pod
  const { state } = knownOf({ claim, pod }, capabilities)
  expect(state).toMatchObject({ status: 'exited', error: expect.stringContaining(expected) })
  if (message) expect(state?.error).toContain(message)
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
  const claim = JSON.parse(JSON.stringify(claimOf(request(), OWNER))) as Claim
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
