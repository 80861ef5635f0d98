import { CircleDot } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { EventOf } from '../../../../server/api/event/events.ts'
import { publishCallOf } from '../../../../server/api/event/publish.ts'
import { RISK_WORDS } from '../../../state/conversation/confirmation-choice.ts'
import { waitingCalls } from '../../../state/conversation/waiting-calls.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { SecretText } from '../../../ui/field/SecretText.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from '../text.ts'
import { Choices } from './Choices.tsx'
import { intentOf } from './intent-words.ts'
import { RejectForm } from './RejectForm.tsx'
import { useAnswer } from './use-answer.ts'
import { WaitingCall } from './WaitingCall.tsx'

/** A key that was on its way when the card came was meant for something else. */
const IGNORE_KEYS_MS = 700

/** What waits for a person's word, as long as the conversation does. Each step gets a card of its own. */
export function Confirmation() {
  const { status } = useOpenConversation()
  const items = useSnapshot(({ conversation }) => conversation.items)
  if (status !== 'waiting_for_confirmation') return null
  const calls = waitingCalls(items)
  const [first] = calls
  return first ? <ConfirmationCard key={first.id} calls={calls} first={first} /> : null
}

type Call = EventOf<'ActionEvent'>

function ConfirmationCard({ calls, first }: { calls: readonly Call[]; first: Call }) {
  const card = useRef<HTMLElement>(null)
  const [rejecting, setRejecting] = useState(false)
  const answer = useAnswer()
  const came = useArrival(card)
  const focusCard = () => card.current?.focus()
  const canAlwaysAllow = calls.every(call => publishCallOf(call) === null)
  useShortcuts({ F7: focusCard })
  const accept = (always_allow = false) => {
    if (!answer.isPending) answer.mutate({ accept: true, always_allow: always_allow && canAlwaysAllow })
  }
  const cancel = () => {
    setRejecting(false)
    focusCard()
  }
  function onKeyDown(event: KeyboardEvent) {
    const act = actOf(event)
    if (!act || event.timeStamp - came.current < IGNORE_KEYS_MS || (act === 'always' && !canAlwaysAllow)) return
    event.preventDefault()
    if (act === 'reject') setRejecting(true)
    else accept(act === 'always')
  }
  const several = calls.length > 1
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={t('waitingForYou')}
      onKeyDown={onKeyDown}
      className="flex max-h-[min(60vh,520px)] flex-col rounded-lg border-2 border-wait bg-raised shadow-float outline-offset-2"
    >
      <div role="alert" className="flex items-start gap-2 border-line border-b bg-wait-wash px-3 py-2">
        <CircleDot size={15} strokeWidth={2.5} aria-hidden className="mt-0.75 shrink-0 text-wait" />
        <h2 className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">
          {t.rich('agentWantsTo', {
            intent: () => <SecretText text={several ? t('doThings', { count: calls.length }) : intentOf(first)} />,
          })}
        </h2>
        {several && <Risks calls={calls} />}
      </div>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t('whatWaits')}
        className="scroll-edges min-h-0 divide-y divide-line overflow-y-auto px-3"
      >
        {calls.map((call, index) => (
          <WaitingCall key={call.id} call={call} place={several ? index + 1 : null} />
        ))}
      </ol>
      <div className="border-line border-t px-3 py-2">
        {rejecting ? (
          <RejectForm
            busy={answer.isPending}
            onReject={reason => answer.mutate({ accept: false, ...(reason ? { reason } : {}) })}
            onCancel={cancel}
          />
        ) : (
          <Choices
            several={several}
            busy={answer.isPending}
            canAlwaysAllow={canAlwaysAllow}
            onAccept={accept}
            onReject={() => setRejecting(true)}
          />
        )}
      </div>
    </section>
  )
}

/** What is risky may lie below the part of the list that is in sight. */
function Risks({ calls }: { calls: readonly Call[] }) {
  return (['HIGH', 'UNKNOWN'] as const).map(risk => {
    const amount = calls.filter(({ security_risk }) => security_risk === risk).length
    const { word, tone } = RISK_WORDS[risk]
    return amount === 0 ? null : (
      <Badge key={risk} tone={tone}>
        {t('countOfRisk', { count: amount, risk: word })}
      </Badge>
    )
  })
}

const KEYS: Readonly<Record<string, 'accept' | 'reject' | 'always'>> = { Enter: 'accept', r: 'reject', a: 'always' }

/** Enter on a button presses that button, so it counts only on the card itself. */
function actOf(event: KeyboardEvent): 'accept' | 'reject' | 'always' | undefined {
  if (event.metaKey || event.ctrlKey || event.altKey || event.nativeEvent.isComposing) return undefined
  if (event.target instanceof HTMLTextAreaElement) return undefined
  if (event.key === 'Enter' && event.target !== event.currentTarget) return undefined
  return KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
}

/** When the card came. It takes the focus then, unless a person is in the middle of writing. */
function useArrival(card: RefObject<HTMLElement | null>) {
  const came = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    came.current = performance.now()
    const active = document.activeElement
    const writing = (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== ''
    if (!writing) card.current?.focus()
  }, [card])
  return came
}
