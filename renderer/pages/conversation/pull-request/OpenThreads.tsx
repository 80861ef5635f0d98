import { MessageSquare } from 'lucide-react'
import { t } from './text.ts'

/** A mark on a file with comments that are not settled. */
export function OpenThreads({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span role="img" aria-label={t('openOnFile', { count })} title={t('openOnFile', { count })} className="flex">
      <MessageSquare size={12} aria-hidden className="self-center text-accent" />
    </span>
  )
}
