import { useQuery } from '@tanstack/react-query'
import type { Event } from '../../../../../server/api/event/events.ts'
import { gitChangesQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { changesOf, type FileChange, type ShownChanges, shownChanges } from '../../../../state/conversation/changes.ts'
import { hasOlder } from '../../../../state/conversation/conversation.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'

export interface Changes extends ShownChanges {
  /** `not_running`: git can be asked in a sandbox that runs only. `nothing`: no repository, or one without a change. */
  readonly git: 'not_running' | 'asked' | 'nothing' | 'changes'
  /** Whether all that the agent edited is among them. */
  readonly complete: boolean
}

/** The edits in the events that are loaded, and what git sees changed in the repositories of the working directory. */
export function useChanges(): Changes {
  const { id, status } = useOpenConversation()
  const conversation = useSnapshot(snapshot => snapshot.conversation)
  const edits = editsOf(conversation.events)
  const running = useSandbox().isUsable
  const { data, isPending } = useQuery({ ...gitChangesQuery(useClient(), id, status === 'running'), enabled: running })
  const seen = (running && data) || []
  const complete = !hasOlder(conversation)
  return {
    ...shownChanges(edits, seen, complete),
    git: running ? (isPending ? 'asked' : seen.length > 0 ? 'changes' : 'nothing') : 'not_running',
    complete: complete || seen.length > 0,
  }
}

/** By the events, which are another list with each change: the tab, its title and the tree of files all ask. */
const KNOWN_EDITS = new WeakMap<readonly Event[], readonly FileChange[]>()

function editsOf(events: readonly Event[]): readonly FileChange[] {
  const known = KNOWN_EDITS.get(events)
  if (known) return known
  const edits = changesOf(events)
  KNOWN_EDITS.set(events, edits)
  return edits
}
