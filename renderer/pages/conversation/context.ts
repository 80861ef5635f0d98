import { createContext, useContext } from 'react'
import type { ExecutionStatus } from '../../../server/api/event/events.ts'
import type { Checkpoint } from '../../../server/api/v1/conversation/checkpoints.ts'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { ConversationFeed, FeedSnapshot } from '../../state/conversation/feed.ts'
import type { Pause } from './composer/use-pause.ts'
import type { Preview } from './panel/preview/use-preview.ts'
import { useFeed } from './use-conversation-feed.ts'
import type { Jumps } from './use-jump.ts'

/** The files of a checkpoint and the event that they belong to; without an event only the files go back. */
export interface GoBack {
  readonly eventId: string | null
  readonly checkpoint: Checkpoint
}

/** A file of the sandbox, by its absolute path. */
interface ShownFile {
  readonly file: string
}

export interface SaidMessage {
  readonly text: string
  /** As data URLs. */
  readonly images: readonly string[]
}

/** Trying a task several times from an event; null is where the conversation stands. */
interface AskedAttempts {
  readonly attemptsFrom: string | null
}

/** Comparing the files of two conversations: the left one, the right one. */
interface AskedComparison {
  readonly compare: readonly [string, string]
}

/** Applying to its folder, its changes in the whole window, the ways of a repository, going back, trying again, and comparing. */
export type ConversationDialog =
  | 'apply'
  | 'review'
  | 'commit'
  | 'push'
  | 'pull-request'
  | GoBack
  | ShownFile
  | AskedAttempts
  | AskedComparison

/** What the service says of the conversation, but for what each step of the agent changes: that would render the whole page. */
export type ConversationInfo = Omit<AppConversation, 'updated_at' | 'execution_status' | PassingFigure>
export type PassingFigure = 'steps' | 'metrics' | 'cost_unknown'

/** What every part of the page reads, all but the events. `status` is live, `info` is the service's last answer. */
export interface OpenConversation extends Pause, Jumps {
  readonly id: string
  readonly info: ConversationInfo
  readonly status: ExecutionStatus
  readonly feed: ConversationFeed
  /** How many messages were sent from here. */
  readonly sent: number
  readonly countSent: () => void
  /** Opens a dialog, one at a time; it outlasts the panel, which is another one when the window becomes narrow. */
  readonly ask: (dialog: ConversationDialog) => void
  /** The same for what is only known a while after it was chosen: it waits until another one, in which something may be written, is closed. */
  readonly askLate: (dialog: ConversationDialog) => void
  readonly preview: Preview
  /** Puts what was said into the composer, in place of what is written there. */
  readonly edit: (message: SaidMessage) => void
  /** Shows a tab of the panel. */
  readonly showTab: (name: string) => void
}

export const ConversationContext = createContext<OpenConversation | null>(null)

export function useOpenConversation(): OpenConversation {
  const open = useContext(ConversationContext)
  if (!open) throw new Error('useOpenConversation is used outside of a conversation.')
  return open
}

/** A part of what has come so far. Whoever reads it is rendered when it changes; an event renders nobody else. */
export function useSnapshot<Part>(select: (snapshot: FeedSnapshot) => Part): Part {
  return useFeed(useOpenConversation().feed, select)
}
