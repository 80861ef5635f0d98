import type { CaseTable } from '../../parts/operation/case.ts'

const unknown = { not_found: { params: { engine_id: 'unknown' } } }
const ofDefault = { conflict: { params: { engine_id: 'default' } } }
/** Nobody listens there, and nobody is asked before the answer. */
const nobody = { kind: 'host', host: '$freeEngineHost' }

export const ENGINE_CASES: CaseTable = {
  listEngines: { success: { reply: { items: [{ id: 'default', is_default: true, status: { state: 'ready' } }] } } },
  listAvailableEngines: { success: {} },
  addEngine: {
    success: { body: { name: 'Nobody', address: nobody }, reply: { name: 'Nobody', status: { state: 'unavailable' } } },
    failures: {
      bad_request: { body: { name: 'Elsewhere', address: { kind: 'host', host: 'tcp://192.0.2.1:2375' } } },
      conflict: { body: { name: 'Again', address: { kind: 'host', host: 'tcp://127.0.0.1:2' } }, needs: ['engine'] },
    },
  },
  renameEngine: {
    success: { params: { engine_id: '$engine' }, body: { name: 'Renamed' }, reply: { name: 'Renamed' } },
    failures: { ...unknown, ...ofDefault },
  },
  removeEngine: {
    success: { params: { engine_id: '$spareEngine' }, reply: { success: true } },
    failures: { ...unknown, ...ofDefault },
  },
  checkEngine: {
    success: { params: { engine_id: 'default' }, reply: { status: { state: 'ready' } } },
    failures: unknown,
  },
}
