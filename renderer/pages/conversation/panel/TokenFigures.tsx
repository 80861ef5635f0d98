import type { MetricsSnapshot } from '../../../../server/api/metrics.ts'
import { formatCost } from '../../../state/format.ts'
import { Entry } from './Entry.tsx'

/** What one model has used. */
export function TokenFigures({ metrics }: { metrics: MetricsSnapshot }) {
  const usage = metrics.accumulated_token_usage
  const share = usage && usage.context_window > 0 ? usage.per_turn_token / usage.context_window : null
  return (
    <>
      <Entry name="Model">{metrics.model_name}</Entry>
      <Entry name="Cost">{formatCost(metrics.accumulated_cost)}</Entry>
      {usage && (
        <>
          <Entry name="Read">
            {figure(usage.prompt_tokens)} tokens
            {usage.cache_read_tokens > 0 && `, ${figure(usage.cache_read_tokens)} from the cache`}
          </Entry>
          <Entry name="Written">
            {figure(usage.completion_tokens)} tokens
            {usage.reasoning_tokens > 0 && `, ${figure(usage.reasoning_tokens)} of them reasoning`}
          </Entry>
          {share !== null && (
            <Entry name="Context">
              {figure(usage.per_turn_token)} of {figure(usage.context_window)} ({Math.round(share * 100)} %)
            </Entry>
          )}
        </>
      )}
    </>
  )
}

function figure(amount: number): string {
  return amount.toLocaleString('en')
}
