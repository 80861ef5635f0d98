import type { ConversationStats } from '../../../../../server/api/event/metrics.ts'
import { contextUse } from '../../../../state/conversation/step-costs.ts'
import { formatTokens } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { useSnapshot } from '../../context.ts'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'
import { useCondense } from './use-condense.ts'

/** How full the model's context is, and the way to make room in it. */
export function ContextMeter({ stats }: { stats: ConversationStats | null }) {
  const isUntouched = useSnapshot(({ conversation }) => conversation.events.length === 0)
  const usage = stats?.last_step?.usage
  const use = contextUse(usage)
  const condense = useCondense()
  const button = (
    <Button
      size="small"
      busy={condense.isPending}
      disabledReason={isUntouched ? t('nothingHasHappenedYet') : null}
      onClick={() => condense.mutate()}
    >
      {t('summarizeNow')}
    </Button>
  )
  return (
    <Section title={t('context')} aside={button}>
      {use ? (
        <>
          <Progress label={t('modelsContext')} value={{ done: use.used, total: use.window }} />
          <p className="mt-1 text-soft text-sm tabular">
            {t('contextInUse', {
              used: formatTokens(use.used),
              window: formatTokens(use.window),
              percent: Math.round(use.share * 100),
            })}
          </p>
        </>
      ) : (
        <p className="text-soft text-sm tabular">
          {usage ? t('contextUnknown', { tokens: formatTokens(usage.per_turn_token) }) : t('knownAfterFirstStep')}
        </p>
      )}
    </Section>
  )
}
