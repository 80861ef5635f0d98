import type { ReactNode } from 'react'
import { formatMoment } from '../../../../state/format.ts'
import { useFold } from './folds.ts'
import './fold-line.css'

export interface FoldLineProps {
  foldKey: string
  at: string
  icon: ReactNode
  children: ReactNode
  /** Words at the end of the line. */
  outcome?: ReactNode
  openByItself?: boolean
  /** What unfolds. */
  body: ReactNode
}

/** One quiet line that unfolds. */
export function FoldLine({ foldKey, at, icon, children, outcome, openByItself = false, body }: FoldLineProps) {
  const { open, toggle } = useFold(foldKey, openByItself)
  return (
    <div className="py-px">
      <button
        type="button"
        aria-expanded={open}
        title={formatMoment(Date.parse(at))}
        onPointerDown={() => getSelection()?.removeAllRanges()}
        onClick={event => {
          if (!hasSelection(event.currentTarget)) toggle()
        }}
        className="group/line -mx-2 flex min-h-7 w-[calc(100%+16px)] items-center gap-2 rounded-md px-2 text-start text-soft hover:bg-hover"
      >
        <span className="fold-mark">{!open && icon}</span>
        {children}
        {outcome && <span className="ms-auto shrink-0 ps-2 text-faint text-sm tabular">{outcome}</span>}
      </button>
      {open && <div className="mt-0.5 mb-2 ms-2 border-line border-s ps-4">{body}</div>}
    </div>
  )
}

/** Who marks the words of the line wants to copy them. */
function hasSelection(line: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(line, true)
}
