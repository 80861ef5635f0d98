import type { CaseTable } from '../../../parts/operation/case.ts'

const unknownExport = { params: { export_id: 'no-such-export' } }
const unknownImport = { params: { import_id: 'no-such-import' } }

export const TRANSFER_CASES: CaseTable = {
  startDataExport: {
    success: { needs: ['noExport'], reply: { state: 'writing', has_secret_values: false } },
  },
  getDataExport: {
    success: { params: { export_id: '$readyExport' }, reply: { state: 'ready' } },
    failures: { not_found: unknownExport },
  },
  downloadDataExport: {
    success: { params: { export_id: '$readyExport' } },
    failures: { not_found: unknownExport, conflict: { params: { export_id: '$writingExport' } } },
  },
  deleteDataExport: {
    success: { params: { export_id: '$readyExport' }, reply: { success: true } },
    failures: { not_found: unknownExport },
  },
  uploadDataImport: {
    success: { needs: ['noImport'], files: { 'mine.atelier-data.zip': 'no archive' }, reply: { state: 'checking' } },
    failures: { bad_request: { files: {} } },
  },
  lookIntoOpenHands: {
    success: {
      needs: ['noImport'],
      body: { folder: '/nowhere/.openhands' },
      reply: { state: 'checking', source: 'openhands' },
    },
    failures: { bad_request: { body: { folder: 'no whole path' } } },
  },
  getDataImport: {
    success: { params: { import_id: '$failedImport' }, reply: { state: 'failed' } },
    failures: { not_found: unknownImport },
  },
  startDataImport: {
    success: { params: { import_id: '$checkedImport' }, reply: { state: 'importing' } },
    failures: {
      not_found: unknownImport,
      conflict: { params: { import_id: '$failedImport' } },
      bad_request: { body: { passphrase: 'It has no values of secrets.' } },
    },
  },
  deleteDataImport: {
    success: { params: { import_id: '$failedImport' }, reply: { success: true } },
    failures: { not_found: unknownImport },
  },
  listUserInstructions: { success: { needs: ['writtenInstructions'], reply: { items: [{ program: 'claude_code' }] } } },
  importUserInstructions: {
    success: { params: { program: '$writtenInstructions' }, reply: { state: 'imported' } },
    failures: {
      not_found: { params: { program: 'opencode' } },
      too_large: { params: { program: '$longInstructions' } },
      conflict: { params: { program: '$stuckInstructions' } },
    },
  },
  removeUserInstructions: {
    success: { params: { program: '$importedInstructions' }, reply: { success: true } },
    failures: {
      not_found: { params: { program: 'opencode' } },
      conflict: { params: { program: '$stuckInstructions' } },
    },
  },
}
