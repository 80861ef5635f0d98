import { type FormEvent, useState } from 'react'
import { updateAppConversation } from '../../../../../server/api/v1/conversation/conversations.ts'
import { BudgetNote } from '../../../../components/BudgetNote.tsx'
import { useCommand } from '../../../../components/use-command.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { useOpenConversation } from '../../context.ts'
import { parseLimit } from '../../parse-limit.ts'
import { t } from '../text.ts'

/** The limits in force; what is saved counts from the next step on. */
export function LimitsForm() {
  const { id, info } = useOpenConversation()
  const [steps, setSteps] = useState(String(info.max_iterations))
  const [budget, setBudget] = useState(info.max_budget_per_task === null ? '' : String(info.max_budget_per_task))
  const maxIterations = parseLimit('max_iterations', steps)
  const maxBudget = budget.trim() === '' ? null : parseLimit('max_budget_per_task', budget)
  const badBudget = budget.trim() !== '' && maxBudget === null
  const changed = maxIterations !== info.max_iterations || maxBudget !== info.max_budget_per_task
  const save = useCommand((client, body: { max_iterations: number; max_budget_per_task: number | null }) =>
    client.call(updateAppConversation, { params: { conversation_id: id }, body }),
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (maxIterations !== null && !badBudget)
      save.mutate({ max_iterations: maxIterations, max_budget_per_task: maxBudget })
  }
  return (
    <form onSubmit={submit}>
      <h2 className="mb-1 font-semibold">{t('limits')}</h2>
      <div className="flex flex-wrap items-start gap-3">
        <Field label={t('steps')} className="w-28" error={maxIterations === null ? t('wholeNumber') : undefined}>
          <Input inputMode="numeric" value={steps} onValueChange={setSteps} />
        </Field>
        <Field label={t('budgetUsd')} className="w-28" error={badBudget ? t('positiveNumberOrNothing') : undefined}>
          <Input inputMode="decimal" placeholder={t('noLimit')} value={budget} onValueChange={setBudget} />
        </Field>
        {(changed || badBudget) && (
          <Button
            type="submit"
            look="primary"
            className="mt-6"
            busy={save.isPending}
            disabledReason={maxIterations === null || badBudget ? t('valueDoesNotFit') : null}
          >
            {t('save')}
          </Button>
        )}
      </div>
      {budget.trim() !== '' && !info.price_known && <BudgetNote />}
      <p className="mt-1 text-faint text-sm">{t('takesEffectFromNextStep')}</p>
    </form>
  )
}
