import type { ReactNode } from 'react'

export interface SectionProps {
  title: string
  /** At the end of the title's line. */
  aside?: ReactNode
  children: ReactNode
}

/** One part of the details. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <div className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
