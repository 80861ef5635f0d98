import type { CaseTable } from '../../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })
const at = (conversation_id: string, attempts_id: string) => ({ params: { conversation_id, attempts_id } })

export const ATTEMPT_CASES: CaseTable = {
  beginAttempts: {
    success: {
      ...of('$new'),
      body: { task: 'Finish', models: [null], check: 'true' },
      reply: { task: 'Finish', attempts: [{ state: 'starting' }] },
    },
    failures: {
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
  deleteAttempts: {
    success: { ...at('$triedInVain', '$attemptsInVain'), reply: { success: true } },
    failures: { not_found: at('$triedInVain', 'gone') },
  },
}
