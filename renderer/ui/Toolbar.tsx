import type { ReactNode } from 'react'

export interface ToolbarProps {
  title: ReactNode
  /** Beside the title, quieter. */
  detail?: ReactNode
  /** The buttons at the end. */
  children?: ReactNode
}

/** A page's first line: what this is, and what can be done with all of it. */
export function Toolbar({ title, detail, children }: ToolbarProps) {
  return (
    <header className="flex h-12 shrink-0 items-center justify-between gap-4 border-b border-line px-4">
      <div className="flex min-w-0 items-baseline gap-3">
        <h1 className="max-w-full shrink-0 truncate text-lg font-semibold">{title}</h1>
        {detail ? <span className="truncate text-faint">{detail}</span> : null}
      </div>
      <div className="flex shrink-0 items-center gap-2">{children}</div>
    </header>
  )
}
