import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_ENGINE } from '../../server/api/v1/system/engines.ts'
import { EngineTable } from '../../server/store/sandbox/engines.ts'
import { SandboxIdlePauses } from '../../server/store/sandbox/idle-pauses.ts'
import { SandboxNetworkTable } from '../../server/store/sandbox/networks.ts'
import { RemovalRecords } from '../../server/store/sandbox/removals.ts'
import { openStore } from '../parts/service/store.ts'

const CLOSED = { network: 'none' as const, allowlist: { presets: [], hosts: [] } }
const ADDED = { id: 'engine-a', createdAt: '2026-01-01', name: 'A', address: { kind: 'context' as const, name: 'a' } }

let store: ReturnType<typeof openStore>
beforeEach(() => {
  store = openStore()
})
afterEach(() => store.remove())

test('a sandbox that was closed stays closed when its engine is forgotten, and added again', () => {
  const engines = new EngineTable(store.database)
  engines.insert(ADDED)
  store.database.run("INSERT INTO sandbox_network (sandbox_id, body, engine_id) VALUES ('before', ?, 'engine-a')", [
    JSON.stringify(CLOSED),
  ])
  const policies = new SandboxNetworkTable(store.database)
  policies.save('closed', CLOSED)
  new SandboxIdlePauses(store.database).save('paused', 60)
  new RemovalRecords(store.database).of('engine-a').begin('gone', 'deleted')
  engines.delete('engine-a', false)
  const after = new SandboxNetworkTable(store.database)
  expect([policies.get('closed'), after.get('closed'), after.get('before')]).toEqual([CLOSED, CLOSED, CLOSED])
  expect(new SandboxIdlePauses(store.database).minutesOf('paused')).toBe(60)
  const removals = new RemovalRecords(store.database).of('engine-b')
  expect([removals.reasonOf('gone'), removals.has('gone')]).toEqual(['deleted', false])
  removals.claim(['gone', 'other'])
  expect([removals.has('gone'), [...removals.ids]]).toEqual([true, ['gone']])
  expect([...new RemovalRecords(store.database).of('engine-b').ids]).toEqual(['gone'])
})

test('removals follow an engine to another entry, and nobody else ends them', () => {
  const records = new RemovalRecords(store.database)
  const [added, byDefault] = [records.of('engine-a'), records.of(DEFAULT_ENGINE)]
  added.begin('prepared', 'abandoned')
  added.begin('deleted', 'deleted')
  byDefault.begin('deleted', 'abandoned')
  expect([byDefault.reasonOf('deleted'), byDefault.ids.size]).toEqual(['deleted', 0])
  records.pass('engine-a', DEFAULT_ENGINE)
  expect([[...byDefault.ids].sort(), added.ids.size]).toEqual([['deleted', 'prepared'], 0])
  byDefault.forget('deleted')
  const later = new RemovalRecords(store.database)
  expect([[...later.of(DEFAULT_ENGINE).ids], later.of('engine-a').ids.size]).toEqual([['prepared'], 0])
})
