import type { MetricsSnapshot } from '../../../../../server/api/event/metrics.ts'
import { formatCost, formatTokens } from '../../../../state/format.ts'
import { Entry } from '../Entry.tsx'
import { t } from '../text.ts'

/** What a conversation uses models for besides its steps. */
const USAGES: Readonly<Record<string, string>> = {
  default: t('agentSteps'),
  condenser: t('summingUp'),
  'ask-agent-llm': t('sideQuestions'),
  title: t('title'),
  'remember-prompt': t('whatToRemember'),
}

function purposeWords(usage: string): string {
  if (usage.startsWith('task:')) return t('subAgent')
  const hook = /^(?:prompt|agent)-hook:(.*)$/.exec(usage)?.[1]
  return hook === undefined ? (USAGES[usage] ?? usage) : t('hookNamed', { hook })
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
      <Entry name={t('model')}>{model_name}</Entry>
      <Entry name={t('cost')}>
        {costUnknown && accumulated_cost === 0 ? t('unknown') : formatCost(accumulated_cost)}
      </Entry>
      {usage && (
        <>
          <Entry name={t('read')}>
            {t('readTokens', {
              tokens: formatTokens(usage.prompt_tokens),
              cached: String(usage.cache_read_tokens > 0),
              fromCache: formatTokens(usage.cache_read_tokens),
              stored: String(usage.cache_write_tokens > 0),
              intoCache: formatTokens(usage.cache_write_tokens),
            })}
          </Entry>
          <Entry name={t('written')}>
            {t('writtenTokens', {
              tokens: formatTokens(usage.completion_tokens),
              reasoned: String(usage.reasoning_tokens > 0),
              reasoning: formatTokens(usage.reasoning_tokens),
            })}
          </Entry>
        </>
      )}
    </div>
  )
}
