import { type ReactNode, useState } from 'react'
import { Badge, type BadgeTone } from '../../../../ui/Badge.tsx'

interface Props {
  title: ReactNode
  /** What is known of it, in a few characters. */
  fact: ReactNode
  tone: BadgeTone
  word: string
  /** Buttons. */
  actions: ReactNode
  /** What is to be said of its state. */
  note: ReactNode
  /** Shown once it is unfolded. */
  children: ReactNode
}

/** One thing of a list with its state, which unfolds. */
export function StateRow({ title, fact, tone, word, actions, note, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex items-center gap-1 pe-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 px-2 text-start hover:bg-hover"
        >
          <span className="min-w-0 flex-1 truncate">{title}</span>
          <span className="shrink-0 text-faint text-sm">{fact}</span>
          <Badge tone={tone}>{word}</Badge>
        </button>
        {actions}
      </div>
      {note}
      {open && <div className="flex flex-col gap-2 px-2 pb-2">{children}</div>}
    </li>
  )
}
