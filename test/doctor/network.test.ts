import { expect, test } from 'vitest'
import type { SandboxNetwork } from '../../server/api/network-policy.ts'
import { type NetworkEngine, networkCheck } from '../../server/doctor/sandbox.ts'

interface Case {
  network?: SandboxNetwork
  engine?: Partial<NetworkEngine>
  /** What is found, and besides the policy. */
  found: { state: string; finding: string; [more: string]: unknown }
  facts?: { name: string; value: string }[]
}

const untried = () => Promise.reject(new Error('The rules were tried.'))

const CASES: Record<string, Case> = {
  'a kernel that refuses what the rules say': { found: { state: 'ok', finding: 'network_protected' } },
  'a runtime whose network cannot be protected': {
    engine: { runtimes: () => [{ name: 'runsc', hasKernelNetwork: false }], tryRules: untried },
    found: { state: 'problem', finding: 'network_open_runtime', action: 'choose_spec' },
    facts: [{ name: 'runtime', value: 'runsc' }],
  },
  'a policy without a network': {
    network: 'none',
    engine: { tryRules: untried },
    found: { state: 'ok', finding: 'network_none' },
  },
  'an engine without the image': {
    engine: { hasImage: async () => false, tryRules: untried },
    found: { state: 'skipped', finding: 'needs_image' },
  },
  'a kernel that refuses nothing': {
    engine: { tryRules: async () => ({ outcome: 'not-refused' }) },
    found: { state: 'problem', finding: 'network_not_refused', action: 'choose_spec' },
  },
  'a kernel without rules': {
    engine: { tryRules: async () => ({ outcome: 'not-set', reason: 'Could not process rule' }) },
    found: { state: 'problem', finding: 'network_no_rules', action: 'choose_spec' },
    facts: [{ name: 'reason', value: 'Could not process rule' }],
  },
  'an engine that gives the trial no network': {
    engine: { tryRules: async () => ({ outcome: 'unknown' }) },
    found: { state: 'unknown', finding: 'check_failed' },
  },
}

test.for(Object.entries(CASES))('finds %s', async ([, { network = 'full', engine = {}, found, facts = [] }]) => {
  const check = networkCheck({
    spec: async () => ({
      network,
      allowlist: { presets: [], hosts: [] },
      runtime: null,
      engine: {
        runtimes: () => [{ name: 'runc', hasKernelNetwork: true }],
        hasImage: async () => true,
        tryRules: async () => ({ outcome: 'refused' as const }),
        ...engine,
      },
    }),
    allowedHosts: () => ['localhost:8080'],
  })
  const all = [{ name: 'policy', value: network }, { name: 'allowed_hosts', value: 1 }, ...facts]
  expect(await check(new AbortController().signal)).toMatchObject({ ...found, facts: expect.arrayContaining(all) })
})
