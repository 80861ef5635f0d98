import { useMemo } from 'react'
import { hasOlder } from '../../../../state/conversation/conversation.ts'
import { type StepCost, stepCosts } from '../../../../state/conversation/step-costs.ts'
import { formatCost, formatDuration, formatMoment, formatTokens } from '../../../../state/format.ts'
import { useSnapshot } from '../../context.ts'
import { t } from '../text.ts'

/** What each of the newest steps took; older ones are summed up above. */
const MAX_SHOWN = 50

export function StepFigures() {
  const conversation = useSnapshot(snapshot => snapshot.conversation)
  const steps = useMemo(() => stepCosts(conversation.events).toReversed(), [conversation.events])
  if (steps.length === 0) return null
  const cut = hasOlder(conversation) || steps.length > MAX_SHOWN
  return (
    <details className="mt-2">
      <summary className="cursor-default rounded-sm text-soft text-sm hover:text-ink">{t('stepByStep')}</summary>
      <table className="mt-1 w-full text-sm tabular">
        <thead className="text-faint text-xs">
          <tr>
            <Head>{t('read')}</Head>
            <Head>{t('cached')}</Head>
            <Head>{t('written')}</Head>
            <Head>{t('took')}</Head>
            <Head>{t('cost')}</Head>
          </tr>
        </thead>
        <tbody>
          {steps.slice(0, MAX_SHOWN).map(step => (
            <StepRow key={step.seq} step={step} />
          ))}
        </tbody>
      </table>
      {cut && <p className="mt-1 text-faint text-xs">{t('onlyNewestStepsAreListed')}</p>}
    </details>
  )
}

function Head({ children }: { children: string }) {
  return (
    <th scope="col" className="py-0.5 text-end font-normal">
      {children}
    </th>
  )
}

function StepRow({ step: { at, cost, latencyMs, usage } }: { step: StepCost }) {
  const cells = [
    formatTokens(usage.prompt_tokens),
    formatTokens(usage.cache_read_tokens),
    formatTokens(usage.completion_tokens),
    formatDuration(latencyMs),
    cost === null ? t('unknown') : formatCost(cost),
  ]
  return (
    <tr title={formatMoment(Date.parse(at))} className="border-line border-t text-soft">
      {cells.map((cell, column) => (
        <td key={COLUMNS[column]} className="whitespace-nowrap py-0.5 text-end">
          {cell}
        </td>
      ))}
    </tr>
  )
}

const COLUMNS = ['read', 'cached', 'written', 'took', 'cost'] as const
