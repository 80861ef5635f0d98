import { useState } from 'react'
import type { FileChange } from '../../../../state/conversation/changes.ts'
import { hasOlder } from '../../../../state/conversation/conversation.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { useOpenConversation } from '../../context.ts'
import { ApplyBar } from '../apply/ApplyBar.tsx'
import { t } from '../text.ts'
import { ChangedFile } from './ChangedFile.tsx'
import { OtherFile } from './OtherFile.tsx'
import type { OtherChanges } from './use-other-changes.ts'

export interface ChangesTabProps {
  changes: readonly FileChange[]
  others: OtherChanges
}

/** The files that the agent edited, each with the sum of its edits, and what its commands changed. */
export function ChangesTab({ changes, others }: ChangesTabProps) {
  const none = changes.length === 0 && others.files.length === 0
  return (
    <div className="flex flex-col">
      <ApplyBar />
      <OlderPart />
      {none ? (
        <EmptyState title={t('noFileHasChanged')}>{t('whatAgentEdits')}</EmptyState>
      ) : (
        <ul>
          {changes.map(change => (
            <ChangedFile key={change.path} change={change} />
          ))}
        </ul>
      )}
      {others.files.length > 0 && (
        <section aria-label={t('changedByCommands')}>
          <h2 className="px-3 pt-3 pb-1 font-medium text-faint text-xs">{t('changedByCommands')}</h2>
          <ul>
            {others.files.map(change => (
              <OtherFile key={change.path} change={change} />
            ))}
          </ul>
        </section>
      )}
      {others.missing && changes.length > 0 && <p className="px-3 py-3 text-faint text-sm">{others.missing}</p>}
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
        {loading ? t('olderEventsToLoad', { count: oldest }) : t('olderEventsNotLoaded', { count: oldest })}
      </span>
      <Button size="small" busy={loading} onClick={() => void loadAll()}>
        {t('loadAll')}
      </Button>
    </div>
  )
}
