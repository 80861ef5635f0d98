import { LogLines } from './LogLines.tsx'

/** Lines as they were printed. */
export function PrintedLines({ lines, follows }: { lines: readonly string[]; follows: boolean }) {
  return (
    <LogLines lines={lines} follows={follows}>
      {line => (
        <div dir="auto" className="min-h-5 whitespace-pre-wrap break-words px-4 py-px font-mono text-xs leading-[18px]">
          {line}
        </div>
      )}
    </LogLines>
  )
}
