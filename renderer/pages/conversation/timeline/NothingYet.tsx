import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useOpenConversation } from '../context.ts'
import { useAttempts } from '../panel/attempts/use-attempts.ts'
import { t } from './text.ts'

/** Of a conversation in which nobody has said anything; its task may have gone to attempts. */
export function NothingYet() {
  const { showTab } = useOpenConversation()
  const { data: attempts = [] } = useAttempts()
  if (attempts.length === 0) return <EmptyState title={t('nothingHasHappenedYet')}>{t('writeToAgentBelow')}</EmptyState>
  return (
    <EmptyState
      title={t('attemptsHaveTask')}
      action={<Button onClick={() => showTab('attempts')}>{t('showAttempts')}</Button>}
    >
      {t('whatAttemptsHave')}
    </EmptyState>
  )
}
