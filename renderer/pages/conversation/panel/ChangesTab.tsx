import { useState } from 'react'
import { hasOlder } from '../../../state/conversation.ts'
import type { FileChange } from '../../../state/conversation-changes.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { ChangedFile } from './ChangedFile.tsx'

/** The files that the agent edited, each with the sum of its edits. */
export function ChangesTab({ changes }: { changes: readonly FileChange[] }) {
  return (
    <div className="flex flex-col">
      <OlderPart />
      {changes.length === 0 ? (
        <EmptyState title="No file was edited">Edits that the agent makes with its editing tools show here.</EmptyState>
      ) : (
        <ul>
          {changes.map(change => (
            <ChangedFile key={change.path} change={change} />
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <p className="px-3 py-3 text-faint text-sm">
          Files that commands wrote are not listed here: only edits with the agent’s editing tools are recorded.
        </p>
      )}
    </div>
  )
}

/** Edits in events that are not loaded are not known yet, so that is said. */
function OlderPart() {
  const { feed, snapshot } = useOpenConversation()
  const [loading, setLoading] = useState(false)
  if (!hasOlder(snapshot.conversation)) return null
  async function loadAll() {
    setLoading(true)
    await feed.loadAll()
    setLoading(false)
  }
  const oldest = snapshot.conversation.events[0]?.seq ?? 0
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-3 py-2 text-soft">
      <span className="min-w-0 flex-1">
        {loading
          ? `${oldest} older events to load`
          : `${oldest} older events are not loaded; their edits are missing here.`}
      </span>
      <Button size="small" busy={loading} onClick={() => void loadAll()}>
        Load all
      </Button>
    </div>
  )
}
