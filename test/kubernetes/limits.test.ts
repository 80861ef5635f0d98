import { expect } from 'vitest'
import { EVERYWHERE } from '../../server/api/v1/sandbox/cluster.ts'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import type { ClusterClient } from '../../server/kubernetes/client.ts'
import { objectName } from '../../server/kubernetes/objects.ts'
import type { Claim, Pod } from '../../server/kubernetes/state.ts'
import { it as base } from '../fixtures/base.ts'
import { sh } from '../parts/engine/portable-cases.ts'
import { IMAGE, openClient, startClusterParts } from '../parts/kubernetes/cluster.ts'
import type { Parts } from '../sandbox/parts.ts'

/** A minute is shorter here. */
const MINUTE_MS = 300
const IDLE_MINUTES = 10

const it = base
  .extend('parts', { scope: 'file' }, async ({}, { onCleanup }) => {
    const parts = await startClusterParts({ minuteMs: MINUTE_MS })
    onCleanup(() => parts.close())
    return parts
  })
  .extend('client', { scope: 'file' }, async ({}, { onCleanup }) => {
    const client = await openClient()
    onCleanup(() => client.close())
    return client
  })

async function start(parts: Parts, more: object) {
  const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: 'limited', image: IMAGE, ...more }))
  return parts.sandboxes.open((await parts.sandboxes.start(spec.id)).id)
}

async function objectsOf(client: ClusterClient, id: string) {
  const name = objectName(id)
  const pod = await client.request<Pod>('GET', client.path('pods', name))
  const claim = await client.request<Claim>('GET', client.path('persistentvolumeclaims', name))
  return { pod, claim }
}

it('says whose a pod is and what it reaches, also after a change, and has it go with its claim', async ({
  parts,
  client,
}) => {
  const { id } = await start(parts, { network: 'full' })
  const first = await objectsOf(client, id)
  const expected = { 'atelier.dev/owner': 'ada-laptop', 'atelier.dev/sandbox': id, 'atelier.dev/network': 'full' }
  expect(first.pod.metadata?.labels).toMatchObject(expected)
  expect(first.claim.metadata?.labels).toMatchObject(expected)
  expect(first.pod.metadata?.ownerReferences).toMatchObject([{ uid: first.claim.metadata?.uid }])
  const none = { network: 'none' as const, allowlist: { presets: [], hosts: [] } }
  await parts.sandboxes.network.change(id, none)
  const second = await objectsOf(client, id)
  expect(second.pod.metadata?.uid).toBe(first.pod.metadata?.uid)
  expect(second.pod.metadata?.labels).toMatchObject({ ...expected, 'atelier.dev/network': 'none' })
  await parts.sandboxes.pause(id)
  await parts.sandboxes.resume(id)
  const third = await objectsOf(client, id)
  expect(third.pod.metadata?.labels).toMatchObject({ ...expected, 'atelier.dev/network': 'none' })
})

it('has the cluster end a pod after its time, and goes on with its folder', { timeout: 200_000 }, async ({ parts }) => {
  const sandbox = await start(parts, { cluster: { ...EVERYWHERE, active_deadline_seconds: 60 } })
  await sh(sandbox, 'echo kept >note')
  const status = async () => (await parts.sandboxes.get(sandbox.id)).status
  await expect.poll(status, { timeout: 120_000 }).not.toBe('RUNNING')
  expect((await parts.sandboxes.get(sandbox.id)).status_detail).toContain('as long as its spec lets it')
  await parts.sandboxes.resume(sandbox.id)
  expect((await sh(await parts.sandboxes.open(sandbox.id), 'cat note')).stdout).toBe('kept\n')
})

it('has the node end a pod that writes more than its limit', { timeout: 150_000 }, async ({ parts }) => {
  const sandbox = await start(parts, { limits: { disk_bytes: 1_000_000_000 } })
  await sh(sandbox, 'head -c 1200000000 /dev/zero >/tmp/large').catch(() => {})
  const detail = async () => (await parts.sandboxes.get(sandbox.id)).status_detail
  await expect.poll(detail, { timeout: 120_000 }).toContain('Its node has ended it.')
  await parts.sandboxes.resume(sandbox.id)
  expect((await sh(await parts.sandboxes.open(sandbox.id), 'ls /tmp')).stdout).not.toContain('large')
})

it('pauses those by themselves whose spec says so, and no others', { timeout: 120_000 }, async ({ parts }) => {
  const other = await start(parts, {})
  const idle = await start(parts, { cluster: { ...EVERYWHERE, pause_when_idle: true } })
  await sh(idle, 'echo kept >note')
  parts.idle.minutes = IDLE_MINUTES
  try {
    const status = async () => (await parts.sandboxes.get(idle.id)).status
    await expect.poll(status, { timeout: 60_000 }).toBe('PAUSED')
    expect(await parts.sandboxes.get(idle.id)).toMatchObject({ resumes_by_itself: true, pause_ends_programs: true })
    expect((await parts.sandboxes.get(other.id)).status).toBe('RUNNING')
    expect((await sh(idle, 'cat note')).stdout).toBe('kept\n')
    expect((await parts.sandboxes.get(idle.id)).status).toBe('RUNNING')
  } finally {
    parts.idle.minutes = null
  }
})
