import type { DataProgress } from '../../../../server/api/v1/transfer/exports.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { t } from './text.ts'

/** How far the writing or reading of a file is, in events: conversations are long and short. */
export function Counting({ label, progress }: { label: string; progress: DataProgress | undefined }) {
  const { events = 0, events_total: total = 0 } = progress ?? {}
  const isCounted = total > 0
  return (
    <div role="status">
      <p className="tabular text-soft">{isCounted ? t('eventsOf', { done: events, total }) : t('preparing')}</p>
      <Progress label={label} value={isCounted ? { done: events, total } : null} className="mt-2" />
    </div>
  )
}
