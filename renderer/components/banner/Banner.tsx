import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export interface BannerProps {
  icon: LucideIcon
  tone: 'bad' | 'wait'
  what: string
  meaning: ReactNode
  children: ReactNode
}

/** What concerns the whole window: what happened, what it means, what to do. */
export function Banner({ icon: Icon, tone, what, meaning, children }: BannerProps) {
  const wash = tone === 'bad' ? 'bg-bad-wash' : 'bg-wait-wash'
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2 ${wash}`}
    >
      <Icon size={15} aria-hidden className={`shrink-0 ${tone === 'bad' ? 'text-bad' : 'text-wait'}`} />
      <p className="min-w-0 flex-1 basis-72 wrap-anywhere">
        <span className="font-medium">{what}</span> <span className="text-soft">{meaning}</span>
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
