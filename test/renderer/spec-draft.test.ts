import { describe, expect, test } from 'vitest'
import { EMPTY_CLUSTER } from '../../renderer/state/settings/cluster-draft.ts'
import {
  checkSpec,
  draftOfSpec,
  EMPTY_SPEC,
  type SpecDraft,
  specWords,
} from '../../renderer/state/settings/spec-draft.ts'
import type { SandboxSpecInfo } from '../../server/api/v1/sandbox/specs.ts'

const draft = (fields: Partial<SpecDraft>): SpecDraft => ({ ...EMPTY_SPEC, title: 'Node', image: 'node:22', ...fields })
const mount = (hostPath: string, containerPath: string, key = 0) =>
  ({ key, hostPath, containerPath, mode: 'ro' }) as const

const stored: SandboxSpecInfo = {
  id: 'one',
  title: 'Node',
  dockerfile: null,
  image: 'node:22',
  command: ['sleep', 'infinity'],
  created_at: '2026-01-05T10:00:00Z',
  initial_env: { MODE: 'test', EQUATION: 'a=b' },
  working_dir: '/work',
  image_present: true,
  limits: { memory_bytes: 2_500_000_000, cpus: 1.5, pids: 300, disk_bytes: 30_000_000_000 },
  network: 'allowlist',
  allowlist: { presets: ['packages'], hosts: ['a.test'] },
  runtime: 'runsc',
  mounts: [{ host_path: '/home/me/data', container_path: '/data', mode: 'rw' }],
  engine_id: 'engine-one',
  caches: ['npm'],
  cluster: {
    node_selector: { disktype: 'ssd' },
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'agents', effect: 'NoSchedule' },
      { key: 'spot', operator: 'Exists', value: null, effect: 'NoExecute' },
      { key: null, operator: 'Exists', value: null, effect: null },
    ],
    image_pull_secrets: ['registry-login'],
    storage_class: 'fast',
    volume_bytes: 20_000_000_000,
    active_deadline_seconds: 43_200,
    pause_when_idle: true,
  },
  is_default: false,
  built_in: false,
  imported_from: null,
}

test('a stored spec comes back from its draft as it was', () => {
  const checked = checkSpec(draftOfSpec(stored))
  const { title, image, command, initial_env, working_dir, limits, network, allowlist, runtime, mounts } = stored
  const { engine_id, caches, cluster } = stored
  expect(checked).toEqual({
    ok: true,
    request: {
      title,
      image,
      dockerfile: null,
      command,
      initial_env,
      working_dir,
      limits,
      network,
      allowlist,
      runtime,
      mounts,
      engine_id,
      caches,
      cluster,
    },
  })
})

test('a Dockerfile stands in the place of an image', () => {
  const dockerfile = 'FROM debian:12\n'
  expect(checkSpec(draft({ image: '', dockerfile }))).toMatchObject({ ok: true, request: { image: null, dockerfile } })
  expect(checkSpec(draft({ dockerfile }))).toMatchObject({
    ok: false,
    errors: { fields: { image: expect.any(String) } },
  })
  expect(checkSpec(draft({ image: '' }))).toMatchObject({ ok: false })
})

test('what is left empty is the service’s to decide', () => {
  expect(checkSpec(draft({}))).toMatchObject({
    ok: true,
    request: {
      command: null,
      working_dir: null,
      limits: { memory_bytes: null, cpus: null, pids: null, disk_bytes: null },
      runtime: null,
    },
  })
})

describe('what does not fit is said at its field', () => {
  test.each([
    [{ title: ' ' }, 'title'],
    [{ image: 'Not An Image' }, 'image'],
    [{ workingDir: 'relative' }, 'workingDir'],
    [{ memory: '0.01' }, 'memory'],
    [{ memory: 'much' }, 'memory'],
    [{ cpus: '0' }, 'cpus'],
    [{ pids: '1.5' }, 'pids'],
    [{ disk: '0.1' }, 'disk'],
    [{ env: 'no equals sign' }, 'env'],
    [{ env: 'API_KEY=x' }, 'env'],
    [{ mounts: [mount('/a', '/same'), mount('/b', '/same', 1)] }, 'mounts'],
  ] as const)('%j', (fields, name) => {
    const checked = checkSpec(draft(fields))
    if (checked.ok) throw new Error('It should not fit.')
    expect(Object.keys(checked.errors.fields)).toEqual([name])
  })

  test('a folder by its own row', () => {
    const checked = checkSpec(draft({ mounts: [mount('/a', '/fine', 4), mount('', '../up', 7)] }))
    if (checked.ok) throw new Error('It should not fit.')
    expect(Object.keys(checked.errors.mounts)).toEqual(['7'])
    expect(Object.keys(checked.errors.mounts[7] ?? {}).sort()).toEqual(['containerPath', 'hostPath'])
  })
})

test('a spec is told in a few words', () => {
  expect(specWords(stored)).toBe(
    '2.5 GB · 1.5 processors · 30 GB disk · only named hosts · runsc · 1 mount · shared caches: npm',
  )
  expect(specWords({ ...stored, network: 'none' })).toContain('no network')
})

test.each([
  [{ nodeSelector: 'no label of any kind' }, 'nodeSelector'],
  [{ tolerations: 'dedicated=agents:Never' }, 'tolerations'],
  [{ tolerations: '=agents:NoSchedule' }, 'tolerations'],
  [{ imagePullSecrets: 'Registry Login' }, 'imagePullSecrets'],
  [{ storageClass: 'fast disk' }, 'storageClass'],
  [{ volume: 'much' }, 'volume'],
])('of a cluster, %j is said at %s', (fields, field) => {
  const checked = checkSpec(draft({ cluster: { ...EMPTY_CLUSTER, ...fields } }))
  expect(checked).toMatchObject({ ok: false, errors: { cluster: { [field]: expect.any(String) } } })
})
