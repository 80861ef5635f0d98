import { CircleX, ShieldQuestionMark, Webhook } from 'lucide-react'
import { memo } from 'react'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import { TRUST_NOTICE } from '../../../../../server/api/v1/conversation/repository-trust.ts'
import type { HookItem } from '../../../../state/conversation/item.ts'
import { hookMoment } from '../../hook-words.ts'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** A hook of the repository that ran. One that stopped something or failed opens by itself. */
export const HookLine = memo(function HookLine({ item }: { item: HookItem }) {
  const { event } = item
  if (event.hook_command === TRUST_NOTICE) return <LeftOutLine item={item} />
  const wrong = !event.success && !event.blocked
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      openByItself={wrong || event.blocked}
      icon={wrong ? <CircleX size={14} aria-hidden className="text-bad" /> : <Webhook size={14} aria-hidden />}
      outcome={<span className={wrong ? 'text-bad' : ''}>{outcomeOf(event)}</span>}
      body={<HookBody event={event} />}
    >
      <span className="shrink-0">
        {t.rich('hook', {
          moment: () => (
            <span className="max-[640px]:hidden">{hookMoment(event.hook_event_type, event.tool_name)}</span>
          ),
        })}
      </span>
      <code className="min-w-0 truncate text-faint text-sm">{event.hook_command}</code>
    </FoldLine>
  )
})

/** What an untrusted repository has gone without; the card about it says what to do. */
function LeftOutLine({ item }: { item: HookItem }) {
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<ShieldQuestionMark size={14} aria-hidden className="text-wait" />}
      outcome={t('noSecrets')}
      body={<HookBody event={item.event} />}
    >
      <span className="min-w-0 truncate">{t('thisRepositoryIsNotTrusted')}</span>
    </FoldLine>
  )
}

function outcomeOf({ success, blocked, exit_code }: EventOf<'HookExecutionEvent'>): string {
  if (blocked) return t('stoppedIt')
  if (success) return t('passed')
  return exit_code === undefined ? t('failed') : t('exit', { code: exit_code })
}

function HookBody({ event }: { event: EventOf<'HookExecutionEvent'> }) {
  const { reason, error, additional_context, stdout, stderr } = event
  const silent = ![reason, error, additional_context, stdout, stderr].some(text => text?.trim())
  // What a hook objects with is what it wrote to its error output.
  const said = reason?.trim() === stderr?.trim() ? '' : stderr?.trim()
  return (
    <div className="flex flex-col gap-2 py-1">
      {reason && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{reason}</p>}
      {error && <TextBlock text={error} label={t('error')} tone="bad" />}
      {additional_context && <TextBlock text={additional_context} label={t('addedForModel')} />}
      {stdout?.trim() && <TextBlock text={stdout.trimEnd()} label={t('output')} />}
      {said && <TextBlock text={said} label={t('errorOutput')} />}
      {silent && <p className="text-faint">{t('noOutputSentence')}</p>}
    </div>
  )
}
