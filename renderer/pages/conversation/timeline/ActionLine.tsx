import { CircleX, Clock3, TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import { useNow } from '../../../state/clock.ts'
import type { ActionItem } from '../../../state/conversation-items.ts'
import { formatDuration } from '../../../state/format.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { ActionBody } from './ActionBody.tsx'
import { labelOf, outcomeWords } from './describe-action.ts'
import { FoldLine } from './FoldLine.tsx'

export interface ActionLineProps {
  item: ActionItem
  /** The last lines of its output while it runs. */
  tail?: string | undefined
  /** False when the run stopped: a call without an answer does not go on then. */
  working: boolean
}

/** One action: what, and what came of it. Errors open by themselves. */
export const ActionLine = memo(function ActionLine({ item, tail, working }: ActionLineProps) {
  const { event, outcome } = item
  const { icon: Icon, verb, subject } = labelOf(event)
  const wrong = outcome.state === 'error' || outcome.state === 'failed'
  const running = outcome.state === 'running' && working
  return (
    <>
      <FoldLine
        foldKey={item.key}
        at={item.at}
        openByItself={wrong}
        icon={wrong ? <CircleX size={14} aria-hidden className="text-bad" /> : <Icon size={14} aria-hidden />}
        outcome={running ? <Running since={item.at} /> : <OutcomeWords item={item} working={working} />}
        body={<ActionBody item={item} />}
      >
        {verb && <span className="shrink-0">{verb}</span>}
        {subject && <code className="min-w-0 shrink truncate text-ink text-sm">{firstLine(subject)}</code>}
        {event.summary && (
          <span className="min-w-12 flex-1 truncate text-faint max-[640px]:hidden">{event.summary}</span>
        )}
      </FoldLine>
      {running && tail && <Tail text={tail} />}
    </>
  )
})

function OutcomeWords({ item: { outcome }, working }: { item: ActionItem; working: boolean }) {
  const words = useMemo(() => outcomeWords(outcome), [outcome])
  if (outcome.state === 'running') return 'not finished'
  if (outcome.state === 'queued')
    return (
      <span className="inline-flex items-center gap-1">
        <Clock3 size={12} aria-hidden />
        {working ? 'waits' : 'not started'}
      </span>
    )
  const tone = outcome.state === 'error' || outcome.state === 'failed' ? 'text-bad' : ''
  return (
    <span className={tone}>
      {outcome.state === 'rejected' && <TriangleAlert size={12} aria-hidden className="mr-1 inline" />}
      {words.join(' · ')}
    </span>
  )
}

function Running({ since }: { since: string }) {
  const now = useNow(1000)
  return (
    <span className="inline-flex items-center gap-1.5 text-work">
      <Spinner size={12} />
      {formatElapsed(now - Date.parse(since))}
    </span>
  )
}

function Tail({ text }: { text: string }) {
  return (
    <pre className="mb-2 ml-6 max-h-36 overflow-hidden whitespace-pre-wrap font-mono text-faint text-sm leading-[18px] [overflow-wrap:anywhere]">
      {text.split('\n').slice(-8).join('\n')}
    </pre>
  )
}

function formatElapsed(milliseconds: number): string {
  return milliseconds < 1000 ? 'running' : formatDuration(Math.floor(milliseconds / 1000) * 1000).replace('.0', '')
}

function firstLine(text: string): string {
  const [line = '', ...rest] = text.trim().split('\n')
  return rest.length > 0 ? `${line} …` : line
}
