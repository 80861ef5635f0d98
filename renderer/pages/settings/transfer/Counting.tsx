import type { DataProgress } from '../../../../server/api/v1/transfer/exports.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { t } from './text.ts'

/** How far the writing or reading of a file is, in events: conversations are long and short. */
export function Counting({ label, progress }: { label: string; progress: DataProgress | undefined }) {
  const { events = 0, events_total = 0, folders = 0, folders_total = 0 } = progress ?? {}
  // They are read before anything is written, and may be large.
  const isFolders = events_total === 0 && folders_total > 0
  const value = isFolders ? { done: folders, total: folders_total } : { done: events, total: events_total }
  const isCounted = value.total > 0
  return (
    <div role="status">
      <p className="tabular text-soft">{isCounted ? t(isFolders ? 'foldersOf' : 'eventsOf', value) : t('preparing')}</p>
      <Progress label={label} value={isCounted ? value : null} className="mt-2" />
    </div>
  )
}
