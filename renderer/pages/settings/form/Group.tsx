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
