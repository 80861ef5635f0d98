import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** Settings that belong together, under a heading of their own. */
export function Group({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4 border-t border-line pt-5 [h2+&]:border-t-0 [h2+&]:pt-0">
      <div>
        <h3 className="font-semibold">{title}</h3>
        {about ? <p className="mt-0.5 text-soft">{about}</p> : null}
      </div>
      {children}
    </section>
  )
}

/** Settings that hardly anybody looks for: folded until somebody opens them, or searches for one. */
export function FoldedGroup({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <details className="group/folded border-t border-line pt-5">
      <summary className="flex cursor-pointer list-none items-baseline gap-1.5 rounded-sm">
        <ChevronRight
          size={13}
          aria-hidden
          className="shrink-0 self-center text-faint transition-transform duration-100 group-open/folded:rotate-90"
        />
        <h3 className="font-semibold">{title}</h3>
        {about ? <span className="text-soft">{about}</span> : null}
      </summary>
      <section aria-label={title} className="mt-4 flex flex-col gap-4">
        {children}
      </section>
    </details>
  )
}
