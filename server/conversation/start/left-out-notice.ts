import { TRUST_NOTICE } from '../../api/v1/conversation/repository-trust.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'

/** Says what is left out for want of trust, in an event that every client shows; once for the same things. */
export function announceLeftOut(
  id: ConversationId,
  { trust, eventLog }: { trust: RepositoryTrust; eventLog: EventLog },
): void {
  const record = trust.record(id)
  const sentences = trust.leftOut(id).flatMap(({ item, sentence }) => (item.trusted ? [] : [sentence]))
  if (!record || sentences.every(sentence => record.announced.includes(sentence))) return
  eventLog.append(id, {
    kind: 'HookExecutionEvent',
    source: 'hook',
    hook_event_type: 'SessionStart',
    hook_command: TRUST_NOTICE,
    success: false,
    blocked: false,
    reason: `This version of the repository is not trusted. ${sentences.join(' ')} The conversation works without. To trust it, review what runs in Atelier's window, or use the API's trusted-repositories.`,
  })
  trust.keep(id, { ...record, announced: sentences })
}
