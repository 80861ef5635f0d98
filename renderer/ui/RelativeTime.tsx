import { useNow } from '../state/clock.ts'
import { formatAge, formatAgo, formatMoment } from '../state/format.ts'

interface Props {
  time: string
  /** Whether it stands in a sentence. */
  ago?: boolean
  className?: string
}

/** How long ago; the moment itself on hover. */
export function RelativeTime({ time, ago = false, className = '' }: Props) {
  const format = ago ? formatAgo : formatAge
  const moment = Date.parse(time)
  const now = useNow(30_000)
  return (
    <time dateTime={time} title={formatMoment(moment)} className={`tabular whitespace-nowrap ${className}`}>
      {format(moment, Math.max(now, moment))}
    </time>
  )
}
