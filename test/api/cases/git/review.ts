import type { CaseTable } from '../../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })
const at = (conversation_id: string, checkpoint_id: string) => ({ params: { conversation_id, checkpoint_id } })
const PROJECT = '/workspace/project'
const HUNK = { original_start: 1, original_lines: 0, modified_start: 1, modified_lines: 1 }
const COMMENT = { path: 'src/a.ts', side: 'after', line: 4, quoted: 'let price = 300', text: 'Too much.' }
const NOWHERE = { path: `${PROJECT}/nowhere.txt`, object: null, mode: null, now: null }
const NO_OBJECT = '1'.repeat(40)
/** Of `two` in a line, which was not there before. */
const VERSION = '-f719efd430d52bcfc8566a43b2eb655688d38871'

export const REVIEW_CASES: CaseTable = {
  listCheckpoints: {
    success: { ...of('$restorable'), reply: { items: [{ reason: 'turn' }] } },
    failures: { event_not_found: { query: { event_id: 'gone' } } },
  },
  restoreCheckpoint: {
    success: { ...at('$restorable', '$checkpoint'), reply: { before: { reason: 'turn' }, files: 0 } },
    failures: {
      not_found: at('$restorable', 'gone'),
      conversation_running: at('$running', '1'),
      conflict: { ...at('$restorable', '$checkpoint'), query: { version: '1'.repeat(40) } },
      git_refused: at('$unrestorable', '$lostCheckpoint'),
    },
  },
  listReviewComments: { success: { ...of('$conversation'), reply: { items: [] } } },
  sendReviewComments: {
    success: { ...of('$new'), body: { comments: [COMMENT], run: false }, reply: { numbers: [1] } },
  },
  listReviewFiles: {
    success: { ...of('$conversation'), reply: { files: [{ path: 'binary.bin' }, { path: 'large.txt' }] } },
    failures: { bad_request: { query: { base: 'commit' } }, file_not_found: { query: { path: '/nowhere' } } },
  },
  getReviewFile: {
    success: { ...of('$conversation'), query: { path: 'text.txt' }, reply: { modified: { text: 'two\n' } } },
    failures: {
      bad_request: { query: { path: 'folder' } },
      file_too_large: { query: { path: 'large.txt' } },
      not_a_repository: of('$bare'),
    },
  },
  revertReviewFile: {
    success: { ...of('$conversation'), body: { path: 'unwanted.txt', version: VERSION }, reply: { undo: [{}] } },
    failures: {
      bad_request: { ...of('$conversation'), body: { path: 'folder', version: '-' } },
      file_too_large: {
        ...of('$conversation'),
        body: { path: 'large.txt', version: '-', hunk: HUNK },
      },
      not_a_repository: { ...of('$bare'), body: { path: 'text.txt', version: '-' } },
      conversation_running: { ...of('$running'), body: { path: 'text.txt', version: '-' } },
      conflict: { ...of('$conversation'), body: { path: 'text.txt', version: '-' } },
    },
  },
  stageReviewFile: {
    success: { ...of('$conversation'), body: { path: 'unstaged.txt', base: 'unstaged', version: VERSION } },
    failures: {
      bad_request: { ...of('$conversation'), body: { path: 'folder', base: 'unstaged', version: '-' } },
      file_too_large: {
        ...of('$conversation'),
        body: { path: 'large.txt', base: 'unstaged', version: '-', hunk: HUNK },
      },
      not_a_repository: { ...of('$bare'), body: { path: 'text.txt', base: 'unstaged', version: '-' } },
      conversation_running: { ...of('$running'), body: { path: 'text.txt', base: 'unstaged', version: '-' } },
      conflict: { ...of('$conversation'), body: { path: 'text.txt', base: 'unstaged', version: '-' } },
      git_refused: { ...of('$conversation'), body: { path: 'ignored.txt', base: 'unstaged', version: VERSION } },
    },
  },
  undoReviewRevert: {
    success: { ...of('$conversation'), body: { undo: [NOWHERE] }, reply: { restored: [NOWHERE.path] } },
    failures: {
      bad_request: {
        ...of('$conversation'),
        body: { undo: [{ ...NOWHERE, path: `${PROJECT}/text.txt/x`, object: '$commit' }] },
      },
      file_not_found: { ...of('$conversation'), body: { undo: [{ ...NOWHERE, object: NO_OBJECT }] } },
      not_a_repository: { ...of('$bare'), body: { undo: [{ ...NOWHERE, path: '/text.txt' }] } },
      conversation_running: { ...of('$running'), body: { undo: [NOWHERE] } },
      conflict: { ...of('$conversation'), body: { undo: [{ ...NOWHERE, now: NO_OBJECT }] } },
    },
  },
}
