import { CircleX, Clock3, TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import { useNow } from '../../../../state/clock.ts'
import type { ActionItem } from '../../../../state/conversation/item.ts'
import { formatDuration } from '../../../../state/format.ts'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import { StateDot } from '../../../../ui/StateDot.tsx'
import type { RunPhase } from '../../composer/run-rules.ts'
import { FoldLine } from '../line/FoldLine.tsx'
import { t } from '../text.ts'
import { ActionBody } from './ActionBody.tsx'
import { labelOf } from './labels.ts'
import { opensByItself, outcomeWords } from './outcome-words.ts'

export interface ActionLineProps {
  item: ActionItem
  /** The last lines of its output while it runs. */
  tail?: string | undefined
  /** A call without an answer goes on, waits for a person's word, or was left when the run stopped. */
  phase: RunPhase
}

/** One action: what, and what came of it. Errors and reasons open by themselves. */
export const ActionLine = memo(function ActionLine({ item, tail, phase }: ActionLineProps) {
  const { event, outcome } = item
  const { icon: Icon, verb, subject } = labelOf(event)
  const wrong = outcome.state === 'error' || outcome.state === 'failed'
  const running = outcome.state === 'running' && phase === 'working'
  return (
    <>
      <FoldLine
        foldKey={item.key}
        at={item.at}
        openByItself={opensByItself(outcome)}
        icon={wrong ? <CircleX size={14} aria-hidden className="text-bad" /> : <Icon size={14} aria-hidden />}
        outcome={running ? <Running since={item.at} /> : <OutcomeWords item={item} phase={phase} />}
        body={<ActionBody item={item} />}
      >
        {verb && <span className="shrink-0">{verb}</span>}
        {subject && (
          <code className="min-w-0 shrink cursor-text select-text truncate text-ink text-sm">
            <SecretText text={firstLine(subject)} />
          </code>
        )}
        {event.summary && (
          <span className="min-w-12 flex-1 truncate text-faint max-[640px]:hidden">{event.summary}</span>
        )}
      </FoldLine>
      {running && tail && <Tail text={tail} />}
    </>
  )
})

function OutcomeWords({ item: { outcome }, phase }: { item: ActionItem; phase: RunPhase }) {
  const words = useMemo(() => outcomeWords(outcome), [outcome])
  if (phase === 'asking' && (outcome.state === 'running' || outcome.state === 'queued'))
    return (
      <span className="inline-flex items-center gap-1 text-wait">
        <StateDot state="waiting" silent />
        {t('waitsForYou')}
      </span>
    )
  if (outcome.state === 'running') return t('notFinished')
  if (outcome.state === 'queued')
    return (
      <span className="inline-flex items-center gap-1">
        <Clock3 size={12} aria-hidden />
        {phase === 'working' ? t('waits') : t('notStarted')}
      </span>
    )
  const tone = outcome.state === 'error' || outcome.state === 'failed' ? 'text-bad' : ''
  return (
    <span className={tone}>
      {outcome.state === 'rejected' && <TriangleAlert size={12} aria-hidden className="me-1 inline" />}
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
    <pre className="mb-2 ms-6 max-h-36 overflow-hidden whitespace-pre-wrap font-mono text-faint text-sm leading-[18px] [overflow-wrap:anywhere]">
      <SecretText text={text.split('\n').slice(-8).join('\n')} />
    </pre>
  )
}

function formatElapsed(milliseconds: number): string {
  return milliseconds < 1000 ? t('running') : formatDuration(Math.floor(milliseconds / 1000) * 1000).replace('.0', '')
}

function firstLine(text: string): string {
  const [line = '', ...rest] = text.trim().split('\n')
  return rest.length > 0 ? `${line} …` : line
}
