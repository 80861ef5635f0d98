import { expect, test } from 'vitest'
import { containerRequest, specOf } from '../../server/sandbox/spec.ts'

const RUNC = { name: 'runc', hasKernelNetwork: true }
const RUNSC = { name: 'runsc', hasKernelNetwork: false }
const SYSBOX = { name: 'sysbox-runc', hasKernelNetwork: true }
const IDENTITY = { id: 'atelier-x', instanceId: 'i', createdAt: '2026-01-01T00:00:00.000Z' }

function runtimeOf(runtime: string | null, network: 'full' | 'none', runtimes = [RUNC, RUNSC, SYSBOX]) {
  const spec = { ...specOf('node:22', 'Node'), runtime, network }
  return containerRequest(spec, IDENTITY, { cpus: 2, memoryBytes: 2 ** 33, runtimes }, null).runtime
}

test('a sandbox runs in the runtime of its spec, and in the engine’s default without one', () => {
  expect(runtimeOf('sysbox-runc', 'full')).toBe('sysbox-runc')
  expect(runtimeOf('runsc', 'none')).toBe('runsc')
  expect(runtimeOf(null, 'full')).toBeUndefined()
  expect(runtimeOf(null, 'full', [])).toBeUndefined()
})

test('a runtime that the engine lacks is refused, with those that it has', () => {
  expect(() => runtimeOf('kata', 'none')).toThrow(
    'The engine has no runtime kata, which "Node" asks for. Register it with the engine, or choose another one in the spec: runc, runsc, sysbox-runc.',
  )
})

test('no sandbox has a network where the rules for it would not hold, also where that is the engine’s default', () => {
  expect(() => runtimeOf('runsc', 'full')).toThrow(/runsc has a network of its own, .* Choose the network "none"/)
  expect(() => runtimeOf(null, 'full', [RUNSC, RUNC])).toThrow(/runsc has a network of its own/)
  expect(runtimeOf('runc', 'full', [RUNSC, RUNC])).toBe('runc')
})

test('a limit for the disk is asked for where the engine may hold it, and only where a spec names one', () => {
  const engine = { cpus: 2, memoryBytes: 2 ** 33, canLimitDisk: true }
  const spec = specOf('node:22', 'Node')
  const limited = { ...spec, limits: { ...spec.limits, disk_bytes: 5e9 } }
  expect(containerRequest(limited, IDENTITY, engine, null).diskBytes).toBe(5e9)
  expect(containerRequest(spec, IDENTITY, engine, null).diskBytes).toBeUndefined()
  expect(containerRequest(limited, IDENTITY, { ...engine, canLimitDisk: false }, null).diskBytes).toBeUndefined()
})
