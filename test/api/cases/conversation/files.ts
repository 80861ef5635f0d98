import type { CaseTable } from '../../../parts/operation/case.ts'

const of = { params: { conversation_id: '$conversation' } }
const at = (path: string) => ({ query: { path } })

/** The files of a conversation's sandbox, for a person. */
export const FILE_CASES: CaseTable = {
  listFolder: {
    success: { ...of, query: { limit: 2 }, reply: { items: [{}, {}], complete: true } },
    failures: { bad_request: at('text.txt'), file_not_found: at('nowhere') },
  },
  findFiles: { success: { ...of, query: { text: 'text txt' }, reply: { paths: ['text.txt'] } } },
  getFileText: {
    success: { ...of, ...at('text.txt'), reply: { text: 'two\n' } },
    failures: { bad_request: at('folder'), file_not_found: at('nowhere.txt'), file_not_text: at('binary.bin') },
  },
  saveFileText: {
    success: { ...of, body: { path: '$newPath', text: 'new\n', version: null }, reply: { size_bytes: 4 } },
    failures: {
      bad_request: { body: { path: 'folder', text: 'x', version: null } },
      conflict: { body: { path: 'text.txt', text: 'x', version: null } },
      file_too_large: { body: { path: '$newPath', text: 'x'.repeat(2_150_000), version: null } },
    },
  },
  getFileContent: {
    success: { ...of, ...at('text.txt') },
    failures: { bad_request: at('/dev/null'), file_not_found: at('nowhere') },
  },
  uploadFileContent: {
    success: { ...of, ...at('$newPath'), files: { 'a.txt': 'a' }, reply: { size_bytes: 1 } },
    failures: {
      bad_request: { ...at('/workspace/project/folder'), query: { path: 'folder', existing: 'replace' } },
      conflict: at('text.txt'),
    },
  },
  createFile: {
    success: { ...of, body: { path: '$newPath', kind: 'directory' }, reply: {} },
    failures: {
      bad_request: { body: { path: 'text.txt/inside', kind: 'file' } },
      conflict: { body: { path: 'text.txt', kind: 'file' } },
    },
  },
  moveFile: {
    success: { ...of, body: { path: '$createdFile', to: '$newPath' }, reply: {} },
    failures: {
      bad_request: { body: { path: '.', to: '$newPath' } },
      file_not_found: { body: { path: 'nowhere', to: '$newPath' } },
      conflict: { body: { path: '$createdFile', to: 'text.txt' } },
    },
  },
  deleteFile: {
    success: { ...of, ...at('$createdFile'), reply: {} },
    failures: { bad_request: at('/'), file_not_found: at('nowhere') },
  },
  listTrash: { success: { ...of, needs: ['deletedFile'], reply: { items: [{ kind: 'file' }] } } },
  emptyTrash: { success: { ...of, needs: ['deletedFile'], reply: { success: true } } },
  restoreFile: {
    success: { ...of, body: { trash_id: '$deletedFile' }, reply: {} },
    failures: {
      file_not_found: { body: { trash_id: '1000000000000-000000000000' } },
      conflict: { body: { trash_id: '$replacedFile' } },
    },
  },
  getFilePlace: {
    success: { ...of, ...at('text.txt'), reply: { container: '$sandbox', kind: 'file', host_path: null } },
    failures: { bad_request: at('/dev/null'), file_not_found: at('nowhere') },
  },
}
