import type { NoteItem } from '../../../../state/conversation/item.ts'
import { formatMoment } from '../../../../state/format.ts'
import type { State } from '../../../../state/words.ts'
import { StateDot } from '../../../../ui/StateDot.tsx'

const NOTES = {
  paused: { state: 'agent-paused', text: 'Paused' },
  interrupted: { state: 'agent-paused', text: 'Stopped. The step that was going on is cancelled.' },
  stuck: { state: 'stuck', text: 'The agent repeats itself and was stopped.' },
  condense_asked: { state: 'agent-paused', text: 'You asked to sum up the steps so far.' },
  engine_away: {
    state: 'unreachable',
    text: 'The Docker engine went away. The agent waits for it and goes on by itself when it is back.',
  },
  engine_back: { state: 'running', text: 'The Docker engine is back. The agent goes on.' },
} as const satisfies Record<NoteItem['note'], { state: State; text: string }>

/** A change of state, in one line. */
export function NoteLine({ item }: { item: NoteItem }) {
  const { state, text } = NOTES[item.note]
  return (
    <p title={formatMoment(Date.parse(item.at))} className="flex items-center gap-2 py-2 text-soft text-sm">
      <StateDot state={state} silent />
      {text}
    </p>
  )
}
