import { describe, expect, test } from 'vitest'
import { attemptRows, entryFor, newRefusals, placeOf, refusedCount } from '../../../renderer/state/network/attempts.ts'
import type { NetworkAttempt, SandboxNetworkInfo } from '../../../server/api/v1/sandbox/network.ts'

const at = (minute: number) => `2026-11-26T10:0${minute}:00.000Z`
const attempt = (host: string | null, verdict: NetworkAttempt['verdict'], minute = 1, port = 443): NetworkAttempt => ({
  host,
  port,
  verdict,
  reason: verdict === 'refused' ? 'policy' : null,
  count: 2,
  first_at: at(0),
  last_at: at(minute),
})
const info = (attempts: NetworkAttempt[], fields: Partial<SandboxNetworkInfo> = {}): SandboxNetworkInfo => ({
  network: 'allowlist',
  allowlist: { presets: [], hosts: ['since.test'] },
  attempts,
  ...fields,
})

describe('a private address', () => {
  const refused = (host: string, port = 5432): NetworkAttempt => ({
    ...attempt(host, 'refused', 1, port),
    reason: 'private',
  })
  const entries = (network: SandboxNetworkInfo['network'], allowedHosts: string[] = []) =>
    attemptRows(info([refused('10.0.0.5'), refused('fd00::5', 81)], { network }), allowedHosts).map(
      ({ state, entry, privateEntry }) => [state, entry, privateEntry],
    )

  test('is opened in the settings, and by no list', () => {
    for (const network of ['full', 'allowlist'] as const) {
      expect(entries(network)).toEqual([
        ['refused', null, '10.0.0.5:5432'],
        ['refused', null, '[fd00::5]:81'],
      ])
    }
    expect(entries('none').map(([, , entry]) => entry)).toEqual([null, null])
  })

  test('is as good as allowed once the settings open it', () => {
    expect(entries('full', ['10.0.0.5:5432', '[fd00::5]'])).toEqual([
      ['allowed-since', null, null],
      ['allowed-since', null, null],
    ])
  })
})

describe('what was tried', () => {
  const attempts = [
    attempt('good.test', 'allowed', 5),
    attempt('new.test', 'refused', 4),
    attempt('dead.test', 'failed', 3),
    attempt('since.test', 'refused', 2),
    attempt('old.test', 'refused', 1, 22),
    attempt(null, 'refused', 1, 9000),
  ]

  test('stands in the order of what needs a person', () => {
    const rows = attemptRows(info(attempts), [])
    expect(rows.map(({ host, state, entry }) => [host, state, entry])).toEqual([
      ['new.test', 'refused', 'new.test'],
      ['old.test', 'refused', 'old.test:22'],
      [null, 'refused', null],
      ['dead.test', 'failed', null],
      ['since.test', 'allowed-since', null],
      ['good.test', 'allowed', null],
    ])
    expect(refusedCount(rows)).toBe(3)
  })

  test('cannot be allowed where nothing is reached, and need not where everything is', () => {
    expect(attemptRows(info(attempts, { network: 'none' }), []).every(({ entry }) => entry === null)).toBe(true)
    expect(attemptRows(info(attempts, { network: 'full' }), []).some(({ state }) => state === 'refused')).toBe(false)
  })
})

test.each([
  ['a.test', 80, 'a.test'],
  ['a.test', 443, 'a.test'],
  ['a.test', 0, 'a.test'],
  ['a.test', 22, 'a.test:22'],
  ['203.0.113.7', 8080, '203.0.113.7:8080'],
  ['2001:db8::7', 443, '[2001:db8::7]'],
  ['2001:db8::7', 22, '[2001:db8::7]:22'],
  ['localhost', 80, null],
  ['no host', 80, null],
  [null, 80, null],
])('what allows %s at port %d is %s', (host, port, entry) => {
  expect(entryFor(host, port)).toBe(entry)
})

test('a place is the host with its port, where that is known', () => {
  expect(placeOf({ host: 'a.test', port: 443 })).toBe('a.test:443')
  expect(placeOf({ host: '2001:db8::7', port: 443 })).toBe('[2001:db8::7]:443')
  expect(placeOf({ host: 'a.test', port: 0 })).toBe('a.test')
  expect(placeOf({ host: null, port: 443 })).toBeNull()
})

test('a refusal is news once for each host, and not from before', () => {
  const rows = attemptRows(
    info([
      attempt('a.test', 'refused', 5, 443),
      attempt('a.test', 'refused', 4, 80),
      attempt('b.test', 'refused', 1),
      attempt('c.test', 'refused', 5),
      attempt(null, 'refused', 5),
      attempt('d.test', 'allowed', 5),
    ]),
    [],
  )
  expect(newRefusals(rows, new Set(['c.test']), at(3)).map(({ host }) => host)).toEqual(['a.test', null])
})
