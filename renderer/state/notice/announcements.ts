import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { titleOf } from '../conversation/list.ts'
import { conversationState, STATE_WORDS, type State } from '../words.ts'
import { t } from './text.ts'

export interface Announcement {
  title: string
  body: string
  /** Id of whose it is. */
  conversation: string
  /** Whether its agent waits for a person's word before it acts. */
  asks: boolean
}

/** The state of each conversation as it was last seen; what asks before it acts is told apart from what just waits, and by when it asked. */
export type SeenStates = ReadonlyMap<string, SeenState>
type SeenState = State | `asks since ${string}`

/** What ends the agent's work and is worth a person's look. A pause is not: the person asked for it. */
const ENDS: readonly State[] = ['done', 'waiting', 'failed', 'stuck', 'limit']

export function seenStates(conversations: readonly AppConversation[]): SeenStates {
  return new Map(conversations.map(one => [one.id, seenState(one)]))
}

/** What has ended, or waits, since it was last seen: the work in between may have been too short to be seen. */
export function announcementsOf(before: SeenStates, now: readonly AppConversation[]): Announcement[] {
  const plans = new Set(now.flatMap(({ id, agent_type }) => (agent_type === 'plan' ? [id] : [])))
  return now.flatMap(conversation => {
    const { parent_conversation_id: parent = null } = conversation
    // A sub-agent tells the agent that sent it what it found, not the person; what it asks, it asks the person.
    if (parent !== null && !plans.has(parent) && !asks(conversation)) return []
    const state = conversationState(conversation)
    const known = before.get(conversation.id)
    if (known === undefined || known === seenState(conversation) || !ENDS.includes(state)) return []
    // An agent that just waits again did so because a person had it go back.
    if (known !== 'working' && state === 'waiting' && !asks(conversation)) return []
    const { word, meaning } = STATE_WORDS[state]
    return [
      {
        title: `${titleOf(conversation)}: ${word}`,
        body: asks(conversation) ? ASKS : meaning,
        conversation: conversation.id,
        asks: asks(conversation),
      },
    ]
  })
}

const ASKS = t('agentWantsToAct')

/** While one waits it does not change: another time is another question, however short the work in between was. */
function seenState(conversation: AppConversation): SeenState {
  return asks(conversation) ? `asks since ${conversation.updated_at}` : conversationState(conversation)
}

/** Whether it waits for a person's word before it acts. */
function asks({ execution_status }: Pick<AppConversation, 'execution_status'>): boolean {
  return execution_status === 'waiting_for_confirmation'
}

/** The window's title: what is open, and what waits for a person, which is seen there also while another window is in front. */
export function windowTitle(
  conversations: readonly AppConversation[],
  open?: Pick<AppConversation, 'title'> | null,
): string {
  const waiting = conversations.filter(asks).length
  if (open) return t('windowTitleOpen', { waiting, title: titleOf(open) })
  return waiting > 0 ? t('windowTitleWaiting', { waiting }) : 'Atelier'
}
