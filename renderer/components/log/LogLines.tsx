import type { Key, ReactNode } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { t } from './text.ts'

interface LogLinesProps<Line> {
  lines: readonly Line[]
  /** Of a line; its place where it is absent. */
  keyOf?: (line: Line) => Key
  follows: boolean
  children: (line: Line) => ReactNode
}

/** The lines of a log, the newest last. It stays at its end while that is in view. */
export function LogLines<Line>({ lines, keyOf, follows, children }: LogLinesProps<Line>) {
  return (
    <Virtuoso
      role="log"
      aria-label={t('log')}
      aria-live="off"
      tabIndex={0}
      className="min-h-0 flex-1 outline-offset-[-2px]"
      data={lines}
      {...(keyOf && { computeItemKey: (_: number, line: Line) => keyOf(line) })}
      initialTopMostItemIndex={lines.length - 1}
      followOutput={follows}
      itemContent={(_, line) => children(line)}
    />
  )
}
