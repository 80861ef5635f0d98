import { Virtuoso } from 'react-virtuoso'
import { t } from './text.ts'

/** Lines as they were printed, the newest last. It stays at its end while that is in view. */
export function PrintedLines({ lines, follows }: { lines: readonly string[]; follows: boolean }) {
  return (
    <Virtuoso
      role="log"
      aria-label={t('log')}
      aria-live="off"
      tabIndex={0}
      className="min-h-0 flex-1 outline-offset-[-2px]"
      data={lines}
      initialTopMostItemIndex={lines.length - 1}
      followOutput={follows}
      itemContent={(_, line) => (
        <div dir="auto" className="min-h-5 whitespace-pre-wrap break-words px-4 py-px font-mono text-xs leading-[18px]">
          {line}
        </div>
      )}
    />
  )
}
