import type { EventOf } from '../../../../server/api/event/events.ts'
import { RISK_WORDS } from '../../../state/conversation/confirmation-choice.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { SecretText } from '../../../ui/field/SecretText.tsx'
import { t } from '../text.ts'
import { RequestBody } from '../timeline/action/RequestBody.tsx'
import { intentOf } from './intent-words.ts'

export interface WaitingCallProps {
  call: EventOf<'ActionEvent'>
  /** Of several, from 1; null when it is the only one, which the card's heading names already. */
  place: number | null
}

/** One call to decide on: what it will do in words, how risky that is and why, and the call to the letter. */
export function WaitingCall({ call, place }: WaitingCallProps) {
  const { word, tone } = RISK_WORDS[call.security_risk]
  return (
    <li className="flex flex-col gap-1.5 py-2">
      <p className="flex flex-wrap items-center gap-2">
        {place !== null && (
          <span className="font-medium [overflow-wrap:anywhere]">
            {place}. <SecretText text={capitalised(intentOf(call))} />
          </span>
        )}
        <Badge tone={tone}>{word}</Badge>
        {call.summary && <span className="min-w-0 text-soft [overflow-wrap:anywhere]">{call.summary}</span>}
      </p>
      {call.risk_reasons && call.risk_reasons.length > 0 && (
        <ul
          aria-label={call.security_risk === 'UNKNOWN' ? t('whatIsKnown') : t('whyItIsRated')}
          className="list-disc ps-5 text-soft"
        >
          {call.risk_reasons.map(reason => (
            <li key={reason} className="[overflow-wrap:anywhere]">
              {reason}
            </li>
          ))}
        </ul>
      )}
      <RequestBody event={call} answered={false} />
    </li>
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
