import { expect, test } from 'vitest'
import { containerRequest, limitsFor, sandboxSpecs } from '../../server/sandbox/spec.ts'

const GIB = 1024 ** 3
const ids = (...args: Parameters<typeof sandboxSpecs>) => sandboxSpecs(...args).map(spec => spec.id)

test('the bundled image is the default, a second preset follows', () => {
  expect(ids('atelier/sandbox:1', { base: null, runtime: null })).toEqual([
    'atelier/sandbox:1',
    'nikolaik/python-nodejs:python3.12-nodejs22',
  ])
})

test('an image from the settings becomes the default; the runtime image wins over the base image', () => {
  expect(ids('bundled', { base: 'base:1', runtime: null })[0]).toBe('base:1')
  const both = ids('bundled', { base: 'base:1', runtime: 'runtime:1' })
  expect(both[0]).toBe('runtime:1')
  expect(both).toContain('base:1')
  expect(both).toContain('bundled')
})

test('no image is offered twice', () => {
  expect(ids('bundled', { base: 'bundled', runtime: 'bundled' }).filter(id => id === 'bundled')).toHaveLength(1)
})

test('a small engine keeps half of its memory', () => {
  expect(limitsFor({ cpus: 2, memoryBytes: 4 * GIB }, null)).toEqual({ cpus: 2, memoryBytes: 2 * GIB })
})

test('the resource factor scales up to what the engine has', () => {
  const engine = { cpus: 16, memoryBytes: 64 * GIB }
  expect(limitsFor(engine, 1)).toEqual({ cpus: 4, memoryBytes: 4 * GIB })
  expect(limitsFor(engine, 2)).toEqual({ cpus: 8, memoryBytes: 8 * GIB })
  expect(limitsFor(engine, 100)).toEqual({ cpus: 16, memoryBytes: 64 * GIB })
})

test('an engine that cannot limit processors is not asked to', () => {
  expect(limitsFor({ cpus: 2, memoryBytes: 8 * GIB, canLimitCpus: false }, null).cpus).toBe(0)
})

test('whatever the image would start, the sandbox’s own command replaces', () => {
  const [spec] = sandboxSpecs('any', { base: null, runtime: null })
  if (!spec) throw new Error('no spec')
  const identity = { id: 'atelier-x', instanceId: 'i', createdAt: '2026-01-01T00:00:00.000Z' }
  const request = containerRequest(spec, identity, { cpus: 2, memoryBytes: 8 * GIB }, null)
  expect(request.entrypoint?.[0]).toBe('/bin/sh')
  expect(request.command).toEqual([])
  expect(request.capabilities.drop).toEqual(['ALL'])
})
