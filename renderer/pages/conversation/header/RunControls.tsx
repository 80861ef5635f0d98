import { Pause, Play, Square } from 'lucide-react'
import { interruptConversation, runConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { runRules } from '../composer/run-rules.ts'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from '../text.ts'

/** Pause after this step, stop now, or go on. */
export function RunControls() {
  const { id, info, status, pause, pausing } = useOpenConversation()
  const isUntouched = useSnapshot(({ conversation }) => conversation.events.length === 0)
  const params = { conversation_id: id }
  const run = useCommand(client => client.call(runConversation, { params }))
  const interrupt = useCommand(client => client.call(interruptConversation, { params }))
  const { working, continueReason } = runRules(status, info)
  const untouched = isUntouched ? t('writeToAgentFirst') : null
  const reason = continueReason ?? untouched
  if (!working)
    return (
      <Button
        look={reason ? 'quiet' : 'secondary'}
        icon={<Play size={13} aria-hidden />}
        busy={run.isPending}
        disabledReason={reason}
        onClick={() => run.mutate()}
      >
        {t('continue')}
      </Button>
    )
  return (
    <>
      <Button
        icon={<Pause size={13} aria-hidden />}
        disabledReason={pausing ? t('finishingThisStep') : null}
        onClick={pause}
      >
        {pausing ? t('pausing') : t('pause')}
      </Button>
      <IconButton
        label={t('stopNow')}
        icon={<Square size={13} aria-hidden />}
        busy={interrupt.isPending}
        onClick={() => interrupt.mutate()}
      />
    </>
  )
}
