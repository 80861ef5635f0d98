import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { ApplyBar } from '../apply/ApplyBar.tsx'
import { GitBar } from '../git/GitBar.tsx'
import { t } from '../text.ts'
import { ChangedFile } from './ChangedFile.tsx'
import { OtherFile } from './OtherFile.tsx'
import { type Changes, useChanges } from './use-changes.ts'

/** The files that the agent edited, each with the sum of its edits, and what else git sees changed. */
export function ChangesTab() {
  const changes = useChanges()
  const { edits, others, git, complete } = changes
  return (
    <div className="flex flex-col">
      <ApplyBar />
      <GitBar />
      {git !== 'not_running' && <ReviewBar />}
      {!complete && <OlderPart />}
      {edits.length > 0 && (
        <ul>
          {edits.map(change => (
            <ChangedFile key={change.path} change={change} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <section aria-label={t('seenByGit')}>
          <h2 className="px-3 pt-3 pb-1 font-medium text-faint text-xs">{t('seenByGit')}</h2>
          <ul>
            {others.map(change => (
              <OtherFile key={change.path} change={change} />
            ))}
          </ul>
        </section>
      )}
      {edits.length === 0 && others.length === 0 && <Nothing changes={changes} />}
      {edits.length > 0 && (git === 'nothing' || git === 'not_running') && (
        <p className="px-3 py-3 text-faint text-sm">{GIT_HINTS[git]}</p>
      )}
    </div>
  )
}

function ReviewBar() {
  const { ask } = useOpenConversation()
  return (
    <div className="flex items-center gap-2 border-line border-b px-3 py-2">
      <span className="min-w-0 flex-1 truncate text-soft">{t('reviewHint')}</span>
      <Button size="small" title={t('reviewShortcut')} onClick={() => ask('review')}>
        {t('reviewChanges')}
      </Button>
    </div>
  )
}

/** Nothing is known to have changed, which is not the same as that nothing has. */
function Nothing({ changes: { git, complete } }: { changes: Changes }) {
  if (git === 'asked') return <Skeleton label={t('loadingChanges')} className="p-3" />
  if (!complete) return <EmptyState title={t('noChangeIsLoaded')}>{GIT_HINTS[git]}</EmptyState>
  return <EmptyState title={t('noFileHasChanged')}>{t('whatAgentEdits')}</EmptyState>
}

const GIT_HINTS = {
  nothing: t('gitSeesNothing'),
  not_running: t('commandChangesHint'),
  asked: null,
  changes: null,
} as const satisfies Record<Changes['git'], string | null>

/** Edits in events that are not loaded are not known yet, so that is said. */
function OlderPart() {
  const { feed } = useOpenConversation()
  const oldest = useSnapshot(({ conversation }) => conversation.events[0]?.seq ?? 0)
  const [loading, setLoading] = useState(false)
  async function loadAll() {
    setLoading(true)
    await feed.loadAll()
    setLoading(false)
  }
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
