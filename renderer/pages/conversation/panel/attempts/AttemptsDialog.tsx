import { Plus } from 'lucide-react'
import { useState } from 'react'
import { beginAttempts, MAX_ATTEMPTS } from '../../../../../server/api/v1/conversation/attempts.ts'
import { AttemptCheck } from '../../../../components/attempts/AttemptCheck.tsx'
import { AttemptModels } from '../../../../components/attempts/AttemptModels.tsx'
import { useCommand } from '../../../../components/use-command.ts'
import { attemptChoiceOf, resized } from '../../../../state/conversation/attempt-choice.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { FormDialog } from '../../../../ui/overlay/FormDialog.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import { useAttempts } from './use-attempts.ts'

/** As many as are usually compared. */
const USUAL = 3

/** Asks for the task, the model of each attempt, and what says whether one is good. */
export function AttemptsDialog({ eventId, onClose }: { eventId: string | null; onClose: () => void }) {
  const { id, info, showTab } = useOpenConversation()
  const [task, setTask] = useState('')
  // What was checked last is checked again, as a rule.
  const last = useAttempts().data?.[0]?.check ?? ''
  const [asked, setCheck] = useState<string | null>(null)
  const [models, setModels] = useState(resized([], USUAL))
  const [isTried, setTried] = useState(false)
  const check = asked ?? last
  const begin = useCommand(async client => {
    const body = { task, ...attemptChoiceOf(models, check), from_event_id: eventId }
    await client.call(beginAttempts, { params: { conversation_id: id }, body })
    onClose()
    showTab('attempts')
  })
  const problem = isTried && task.trim() === '' ? t('sayTask') : undefined
  return (
    <FormDialog
      onClose={onClose}
      title={t('trySeveralTimes')}
      description={eventId === null ? t('whatAttemptsAre') : t('whatAttemptsFromThereAre')}
      submit={t('startAttempts', { count: models.length })}
      busy={begin.isPending}
      onSubmit={() => {
        setTried(true)
        if (task.trim() !== '') begin.mutate()
      }}
    >
      <Field label={t('task')} error={problem}>
        <Textarea value={task} onValueChange={setTask} autoFocus placeholder={t('sameForAll')} />
      </Field>
      <AttemptModels models={models} onChange={setModels} usual={info.llm_model} emptyMeans={t('emptyIsSameModel')}>
        <Button
          size="small"
          icon={<Plus size={13} aria-hidden />}
          disabledReason={models.length === MAX_ATTEMPTS ? t('noMoreThan', { count: MAX_ATTEMPTS }) : null}
          onClick={() => setModels(resized(models, models.length + 1))}
        >
          {t('oneMore')}
        </Button>
      </AttemptModels>
      <AttemptCheck check={check} onChange={setCheck} />
    </FormDialog>
  )
}
