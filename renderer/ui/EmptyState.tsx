import type { ReactNode } from 'react'

export interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** What to do now. */
  action?: ReactNode
}

/** Nothing here yet, and how that changes. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-88 flex-col items-center gap-3 px-4 py-12 text-center">
      <Easel />
      <h2 className="text-lg font-semibold">{title}</h2>
      {children ? <div className="text-soft">{children}</div> : null}
      {action}
    </div>
  )
}

/** An easel with an empty canvas, lit from the window. */
function Easel() {
  return (
    <svg width="112" height="96" viewBox="0 0 112 96" fill="none" aria-hidden className="text-edge">
      <path d="M4 88h104" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeDasharray="2 5" />
      <path d="M56 10v8M44 62 34 88M68 62l10 26M56 62v20" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <rect
        x="26"
        y="18"
        width="60"
        height="42"
        rx="3"
        className="fill-surface"
        stroke="currentColor"
        strokeWidth="2"
      />
      <path d="m27 46 20-27h16L38 59H30a3 3 0 0 1-3-3z" className="fill-accent-wash" />
      <path d="M38 63h36" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M36 42h14M36 49h8" className="stroke-accent" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
