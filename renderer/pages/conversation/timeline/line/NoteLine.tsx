import type { NoteItem } from '../../../../state/conversation/item.ts'
import { formatMoment } from '../../../../state/format.ts'
import type { State } from '../../../../state/words.ts'
import { StateDot } from '../../../../ui/StateDot.tsx'
import { t } from '../text.ts'

const NOTES = {
  paused: { state: 'agent-paused', text: t('paused') },
  interrupted: { state: 'agent-paused', text: t('stoppedDuringStep') },
  stuck: { state: 'stuck', text: t('agentRepeatsItself') },
  condense_asked: { state: 'agent-paused', text: t('youAskedToSumUp') },
  engine_away: {
    state: 'unreachable',
    text: t('engineWentAway'),
  },
  engine_back: { state: 'running', text: t('engineIsBack') },
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
