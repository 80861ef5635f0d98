import type { MetricsSnapshot } from '../../../../../server/api/event/metrics.ts'
import { formatCost, formatTokens } from '../../../../state/format.ts'
import { Entry } from '../Entry.tsx'

/** What a conversation uses models for besides its steps. */
const USAGES: Readonly<Record<string, string>> = {
  default: 'Steps of the agent',
  condenser: 'Summing up',
  'ask-agent-llm': 'Side questions',
  title: 'Its title',
  'remember-prompt': 'What to remember',
}

function purposeWords(usage: string): string {
  if (usage.startsWith('task:')) return 'A sub-agent'
  const hook = /^(?:prompt|agent)-hook:(.*)$/.exec(usage)?.[1]
  return hook === undefined ? (USAGES[usage] ?? usage) : `The hook ${hook}`
}

export interface TokenFiguresProps {
  purpose: string | null
  metrics: MetricsSnapshot
  /** Some answer's price is not known, so no cost does not mean that it was free. */
  costUnknown: boolean
}

/** What one model has used for one purpose. A purpose is named where there are several. */
export function TokenFigures({ purpose, metrics, costUnknown }: TokenFiguresProps) {
  const { model_name, accumulated_cost, accumulated_token_usage: usage } = metrics
  return (
    <div className={purpose === null ? 'pt-1' : 'mt-2 border-line border-t pt-2'}>
      {purpose !== null && <h3 className="text-soft text-sm">{purposeWords(purpose)}</h3>}
      <Entry name="Model">{model_name}</Entry>
      <Entry name="Cost">{costUnknown && accumulated_cost === 0 ? 'unknown' : formatCost(accumulated_cost)}</Entry>
      {usage && (
        <>
          <Entry name="Read">
            {formatTokens(usage.prompt_tokens)} tokens
            {usage.cache_read_tokens > 0 && `, ${formatTokens(usage.cache_read_tokens)} from the cache`}
            {usage.cache_write_tokens > 0 && `, ${formatTokens(usage.cache_write_tokens)} into it`}
          </Entry>
          <Entry name="Written">
            {formatTokens(usage.completion_tokens)} tokens
            {usage.reasoning_tokens > 0 && `, ${formatTokens(usage.reasoning_tokens)} of them reasoning`}
          </Entry>
        </>
      )}
    </div>
  )
}
