import { nudge } from '../../agent/answer.ts'
import type { NewAppConversation } from '../../api/v1/conversation/starts.ts'
import type { EventLog } from '../../event/log.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Forks } from '../forks.ts'
import type { ForkPlan } from './fork-start.ts'
import type { StoreConversation } from './record.ts'

/** Whether it came from another computer, or was recovered, without its sandbox. */
export function hasNoSandbox({ sandbox_id }: Pick<Conversation, 'sandbox_id'>): boolean {
  return sandbox_id === ''
}

/** What one begins with that goes on from such a conversation: the same repository, if there was one, in a new sandbox. */
export function requestToGoOn(asked: NewAppConversation, original: Conversation): NewAppConversation {
  const { selected_repository, selected_branch, git_provider } = original
  return {
    ...asked,
    title: asked.title ?? original.title,
    llm_model: asked.llm_model ?? original.llm_model,
    selected_repository,
    selected_branch,
    git_provider,
  }
}

/** With what was said in the original; then with a note for the agent that it begins with other files. */
export function storeContinuation(
  { original, eventId }: ForkPlan,
  { forks, eventLog, isImported }: { forks: Forks; eventLog: EventLog; isImported: boolean },
): StoreConversation {
  return async conversation => {
    const copied = await forks.branch(original.id, eventId)
    const fork: Conversation = {
      ...conversation,
      title_is_default: false,
      forked_from_conversation_id: original.id,
      forked_from_event_id: eventId ?? copied.at(-1)?.id ?? null,
    }
    await forks.store(fork, copied, async () => {
      if (copied.length > 0) eventLog.append(fork.id, nudge(isImported ? WITH_FOLDER : NEW_SANDBOX))
    })
  }
}

const WITH_FOLDER =
  'This conversation goes on in a new sandbox, with the files of its working folder as they were when it was exported, or with its repository anew where these could not be unpacked. Programs, services and files elsewhere are not there. Look before you rely on anything that was done earlier.'

const NEW_SANDBOX =
  'This conversation goes on in a new sandbox. Files, programs and services from before are not there, except what is in the repository. Look before you rely on anything that was done earlier.'
