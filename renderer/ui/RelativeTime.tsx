import { useNow } from '../state/clock.ts'
import { formatAge, formatMoment } from '../state/format.ts'

/** How long ago; the moment itself on hover. */
export function RelativeTime({ time, className = '' }: { time: string; className?: string }) {
  const moment = Date.parse(time)
  const now = useNow(30_000)
  return (
    <time dateTime={time} title={formatMoment(moment)} className={`tabular whitespace-nowrap ${className}`}>
      {formatAge(moment, Math.max(now, moment))}
    </time>
  )
}
