import type { CaseTable } from '../../../parts/operation/case.ts'

const spec = { title: 'A spec', image: 'debian:13' }
const refusedMount = { ...spec, mounts: [{ host_path: '/', container_path: '/host' }] }
const unknownSpec = { params: { spec_id: 'unknown' } }
const broken = { conflict: { params: { sandbox_id: '$brokenSandbox' } } }
const builtIn = { params: { spec_id: '$builtInSpec' } }

export const SANDBOX_CASES: CaseTable = {
  searchSandboxes: { success: { query: { limit: 1 }, reply: { items: [{}] } } },
  batchGetSandboxes: { success: { query: { id: ['$sandbox', 'unknown'] }, reply: [{ status: 'RUNNING' }, null] } },
  getSandboxStats: { success: { query: { id: ['$sandbox'] }, reply: [{ sandbox_id: '$sandbox' }] } },
  getSandboxLog: {
    success: { params: { sandbox_id: '$sandbox' }, query: { tail: 200 }, reply: { text: null } },
  },
  startSandbox: {
    success: { reply: { status: 'STARTING' } },
    failures: {
      not_found: { body: { sandbox_spec_id: 'unknown' } },
      bad_request: { body: { sandbox_spec_id: '$strandedSpec' } },
    },
  },
  pauseSandbox: {
    success: { params: { sandbox_id: '$spareSandbox' }, reply: { success: true } },
    failures: broken,
  },
  resumeSandbox: { success: { params: { sandbox_id: '$sandbox' }, reply: { success: true } }, failures: broken },
  deleteSandbox: { success: { params: { sandbox_id: '$spareSandbox' }, reply: { success: true } } },
  getSandboxNetwork: {
    success: { params: { sandbox_id: '$sandbox' }, reply: { network: 'full', attempts: [] } },
  },
  setSandboxNetwork: {
    success: {
      params: { sandbox_id: '$spareSandbox' },
      body: { network: 'allowlist', allowlist: { presets: ['packages'], hosts: ['*.example.com', 'github.com:22'] } },
      reply: { network: 'allowlist', allowlist: { presets: ['packages'], hosts: ['*.example.com', 'github.com:22'] } },
    },
    failures: {
      conflict: { ...broken.conflict, body: { network: 'none' } },
      bad_request: {
        params: { sandbox_id: '$sandbox' },
        body: { network: 'allowlist', allowlist: { hosts: ['192.168.1.7'] } },
      },
    },
  },
  searchSandboxSpecs: { success: { reply: { items: [{ is_default: true }] } } },
  batchGetSandboxSpecs: { success: { query: { id: ['$builtInSpec', 'unknown'] }, reply: [{ built_in: true }, null] } },
  createSandboxSpec: {
    success: { body: spec, reply: { title: 'A spec' } },
    failures: { bad_request: { body: refusedMount }, conflict: { service: 'full' } },
  },
  replaceSandboxSpec: {
    success: { params: { spec_id: '$spec' }, body: { ...spec, title: 'Changed' }, reply: { title: 'Changed' } },
    failures: { not_found: unknownSpec, conflict: builtIn, bad_request: { body: refusedMount } },
  },
  deleteSandboxSpec: {
    success: { params: { spec_id: '$spec' }, reply: { success: true } },
    failures: { not_found: unknownSpec, conflict: builtIn },
  },
  startSpecBuild: {
    success: { params: { spec_id: '$builtSpec' }, reply: { state: 'building' } },
    failures: {
      not_found: unknownSpec,
      conflict: builtIn,
    },
  },
  getSpecBuild: {
    success: { params: { spec_id: '$builtSpec' }, reply: { state: 'none' } },
    failures: { not_found: unknownSpec, conflict: builtIn },
  },
  cancelSpecBuild: {
    success: { params: { spec_id: '$builtSpec' }, reply: { error: null } },
    failures: { not_found: unknownSpec, conflict: builtIn },
  },
  saveSandboxAsSpec: {
    success: { params: { sandbox_id: '$sandbox' }, body: { title: 'Saved' }, reply: { left_out: [] } },
    failures: { conflict: { service: 'full' } },
  },
  makeSandboxSpecDefault: {
    success: { ...builtIn, reply: { is_default: true } },
    failures: { not_found: unknownSpec },
  },
}
