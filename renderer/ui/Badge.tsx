import type { ReactNode } from 'react'

const TONES = {
  neutral: 'bg-sunken text-soft',
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  wait: 'bg-wait-wash text-wait',
  bad: 'bg-bad-wash text-bad',
} as const

export type BadgeTone = keyof typeof TONES

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className={`inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-sm whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  )
}
