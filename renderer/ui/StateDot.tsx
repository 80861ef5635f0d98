import { Check, CircleDot, Gauge, LoaderCircle, type LucideIcon, Minus, Pause, RefreshCcw, X } from 'lucide-react'
import { STATE_WORDS, type State, type StateShape, type StateWord } from '../state/words.ts'

const ICONS: Record<Exclude<StateShape, 'dot'>, LucideIcon> = {
  spinner: LoaderCircle,
  ring: CircleDot,
  bars: Pause,
  check: Check,
  cross: X,
  loop: RefreshCcw,
  gauge: Gauge,
  dash: Minus,
}

const INKS: Record<StateWord['tone'], string> = {
  work: 'text-work',
  wait: 'text-wait',
  rest: 'text-rest',
  good: 'text-good',
  bad: 'text-bad',
  stuck: 'text-stuck',
  limit: 'text-limit',
}

/** A state as a shape in its colour; its word is read to those who do not see it. */
export function StateDot({ state, silent = false }: { state: State; silent?: boolean }) {
  const { word, tone, shape } = STATE_WORDS[state]
  const ink = `inline-flex size-3.5 shrink-0 items-center justify-center ${INKS[tone]}`
  const name = silent ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': word } as const)
  return (
    <span className={ink} title={word} {...name}>
      <StateIcon shape={shape} />
    </span>
  )
}

function StateIcon({ shape }: { shape: StateShape }) {
  if (shape === 'dot') return <span className="size-2 rounded-full bg-current" />
  const Icon = ICONS[shape]
  return <Icon size={13} strokeWidth={2.5} aria-hidden className={shape === 'spinner' ? 'animate-turn' : ''} />
}

/** A state's shape and word together. */
export function StateBadge({ state }: { state: State }) {
  const { word, meaning, tone } = STATE_WORDS[state]
  return (
    <span title={meaning} className={`inline-flex items-center gap-1.5 whitespace-nowrap ${INKS[tone]}`}>
      <StateDot state={state} silent />
      {word}
    </span>
  )
}

/** The last known state of what cannot be asked now: its shape without its colour, and why. */
export function LastKnownBadge({ state }: { state: State }) {
  const { word, meaning, shape } = { ...STATE_WORDS.unreachable, shape: STATE_WORDS[state].shape }
  return (
    <span title={meaning} className="inline-flex flex-col text-rest">
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <LastKnownDot shape={shape} />
        {STATE_WORDS[state].word}
      </span>
      <span className="whitespace-nowrap text-faint text-sm">{word}</span>
    </span>
  )
}

/** Nothing turns: it is not known whether anything goes on. */
export function LastKnownDot({ shape }: { shape: StateShape }) {
  return (
    <span aria-hidden className="inline-flex size-3.5 shrink-0 items-center justify-center text-rest">
      <StateIcon shape={shape === 'spinner' ? 'dash' : shape} />
    </span>
  )
}
