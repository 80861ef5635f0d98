import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { RouteReply } from '../../../../../server/api/contract/route.ts'
import { beginAttempts, MAX_ATTEMPTS } from '../../../../../server/api/v1/conversation/attempts.ts'
import type { listLlmProfilesV1 } from '../../../../../server/api/v1/settings/llm-profiles.ts'
import { profilesQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { useModelSuggestions } from '../../../../components/model/ModelField.tsx'
import { useCommand } from '../../../../components/use-command.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Suggest } from '../../../../ui/field/Suggest.tsx'
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
  const [models, setModels] = useState<readonly string[]>(Array.from({ length: USUAL }, () => ''))
  const [isTried, setTried] = useState(false)
  const check = asked ?? last
  const saved = useQuery(profilesQuery(useClient())).data?.profiles ?? []
  const isSaved = (model: string) => saved.some(({ name }) => name === model.trim())
  const begin = useCommand(async client => {
    const body = {
      task,
      models: models.map(model => (isSaved(model) ? null : model.trim() || null)),
      profiles: models.map(model => (isSaved(model) ? model.trim() : null)),
      check: check.trim() || null,
      from_event_id: eventId,
    }
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
      <ModelsField models={models} onChange={setModels} usual={info.llm_model} saved={saved} />
      <Field label={t('check')} hint={t('whatCheckIs')}>
        <Input value={check} onValueChange={setCheck} mono placeholder={t('checkExample')} />
      </Field>
    </FormDialog>
  )
}

type SavedModel = Pick<RouteReply<typeof listLlmProfilesV1>['profiles'][number], 'name' | 'model'>

interface ModelsFieldProps {
  models: readonly string[]
  onChange: (models: readonly string[]) => void
  usual: string | null
  saved: readonly SavedModel[]
}

function ModelsField({ models, onChange, usual, saved }: ModelsFieldProps) {
  // By their names, which stand for their addresses and keys too.
  const suggestions = [...saved.map(({ name, model }) => ({ value: name, hint: model })), ...useModelSuggestions()]
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{t('models')}</legend>
      {models.map((model, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is nothing but its place.
        <div key={index} className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <Suggest
              aria-label={t('modelOfAttempt', { number: index + 1 })}
              value={model}
              onValueChange={next => onChange(models.with(index, next))}
              suggestions={suggestions}
              placeholder={usual ?? 'provider/model'}
              mono
            />
          </div>
          <IconButton
            size="small"
            label={t('removeAttempt', { number: index + 1 })}
            icon={<X size={13} aria-hidden />}
            disabledReason={models.length === 1 ? t('oneIsNeeded') : null}
            onClick={() => onChange(models.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div className="flex items-center justify-between gap-2">
        <p className="text-sm text-faint">{t('emptyIsSameModel')}</p>
        <Button
          size="small"
          icon={<Plus size={13} aria-hidden />}
          disabledReason={models.length === MAX_ATTEMPTS ? t('noMoreThan', { count: MAX_ATTEMPTS }) : null}
          onClick={() => onChange([...models, ''])}
        >
          {t('oneMore')}
        </Button>
      </div>
    </fieldset>
  )
}
