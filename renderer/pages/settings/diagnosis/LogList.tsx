import type { LogLevel, LogLine } from '../../../../server/api/v1/system/log.ts'
import { LogLines } from '../../../components/log/LogLines.tsx'
import { formatMoment } from '../../../state/format.ts'

const LOOKS: Record<LogLevel, string> = {
  trace: 'text-faint',
  debug: 'text-faint',
  info: '',
  warn: 'bg-wait-wash text-wait',
  error: 'bg-bad-wash text-bad',
  fatal: 'bg-bad-wash text-bad',
}

/** Lines of the log of the service. */
export function LogList({ lines, follows }: { lines: readonly LogLine[]; follows: boolean }) {
  return (
    <LogLines lines={lines} keyOf={({ id }) => id} follows={follows}>
      {line => <Line line={line} />}
    </LogLines>
  )
}

function Line({ line: { at, level, message, details } }: { line: LogLine }) {
  return (
    <div
      dir="ltr"
      className={`flex gap-3 border-line border-b px-4 py-0.5 font-mono text-xs max-narrow:flex-col max-narrow:gap-0 ${LOOKS[level]}`}
    >
      {at ? (
        <time dateTime={at} className="shrink-0 whitespace-nowrap opacity-80">
          {formatMoment(Date.parse(at))}
        </time>
      ) : null}
      <span className="w-10 shrink-0 uppercase">{level}</span>
      <span className="min-w-0 flex-1 whitespace-pre-wrap break-words">
        {message}
        {details ? <span className="opacity-80"> {details}</span> : null}
      </span>
    </div>
  )
}
