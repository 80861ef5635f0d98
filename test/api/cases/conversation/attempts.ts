import type { CaseTable } from '../../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })
const at = (conversation_id: string, attempts_id: string) => ({ params: { conversation_id, attempts_id } })

const COMPARED = { params: { conversation_id: '$comparable', other_conversation_id: '$counterpart' } }
const besides = (conversation_id: string) => ({ params: { conversation_id, other_conversation_id: '$counterpart' } })
const NOT_KEPT = `${'1'.repeat(40)}.${'2'.repeat(40)}.${'3'.repeat(64)}`
const NO_CONTENT = `${'1'.repeat(40)}.${'2'.repeat(40)}.-.-`

export const ATTEMPT_CASES: CaseTable = {
  beginAttempts: {
    success: {
      ...of('$new'),
      body: { task: 'Finish', models: [null], check: 'true' },
      reply: { task: 'Finish', attempts: [{ state: 'starting' }] },
    },
    failures: {
      not_found: { ...of('$new'), body: { task: 'Finish', models: [null], profiles: ['gone'] } },
      model_not_set: { ...of('$modelless'), body: { task: 'Finish', models: [null] }, settings: { llm_model: null } },
    },
  },
  listAttempts: {
    success: {
      ...of('$tried'),
      reply: { items: [{ check: 'true', attempts: [{ state: 'done', check: { exit_code: 0 } }] }] },
    },
  },
  keepAttempt: {
    success: { ...at('$tried', '$attempts'), body: { conversation_id: '$attempt' }, reply: { success: true } },
    failures: { not_found: { ...at('$tried', 'gone'), body: { conversation_id: 'gone' } } },
  },
  compareConversations: {
    success: { ...COMPARED, reply: { files: [{ path: 'a.txt', state: 'differs' }, { path: 'large.txt' }] } },
    failures: { git_refused: besides('$unkeepable') },
  },
  getComparedFile: {
    success: {
      ...COMPARED,
      query: { path: 'a.txt', version: '$comparedFile' },
      reply: { original: { text: 'one\n' }, modified: { text: 'two\n' } },
    },
    failures: {
      bad_request: { query: { path: 'a.txt', version: '$comparedFile', sides: 'here' } },
      file_too_large: { query: { path: 'large.txt', version: '$comparedLarge' } },
      conflict: { query: { path: 'a.txt', version: NO_CONTENT } },
    },
  },
  takeComparedFiles: {
    success: {
      ...COMPARED,
      body: { version: '$comparedVersion', paths: ['a.txt'] },
      reply: { before: { reason: 'before_restore' }, files: 1 },
    },
    failures: {
      conversation_running: besides('$running'),
      conflict: { ...COMPARED, body: { version: NOT_KEPT, paths: ['a.txt'] } },
      git_refused: besides('$unkeepable'),
    },
  },
  deleteAttempts: {
    success: { ...at('$triedInVain', '$attemptsInVain'), reply: { success: true } },
    failures: { not_found: at('$triedInVain', 'gone') },
  },
}
