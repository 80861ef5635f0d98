import { type FormEvent, useState } from 'react'
import { runConversation, updateAppConversation } from '../../../../../server/api/v1/conversation/conversations.ts'
import { BudgetNote } from '../../../../components/BudgetNote.tsx'
import { useCommand } from '../../../../components/use-command.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { useOpenConversation } from '../../context.ts'
import { parseLimit } from '../../parse-limit.ts'
import { t } from '../text.ts'

/** Raises the limit that stopped the run, and lets the agent go on. */
export function RaiseLimit({ limit }: { limit: 'max_iterations' | 'max_budget_per_task' }) {
  const { id, info } = useOpenConversation()
  const isSteps = limit === 'max_iterations'
  const now = isSteps ? info.max_iterations : (info.max_budget_per_task ?? 0)
  const [text, setText] = useState(() => String(isSteps ? now * 2 : Math.max(1, now * 2)))
  const value = parseLimit(limit, text)
  const params = { conversation_id: id }
  const raise = useCommand(async (client, next: number) => {
    await client.call(updateAppConversation, { params, body: { [limit]: next } })
    await client.call(runConversation, { params })
  })
  const reason = value === null ? t('enterNumber') : value <= now ? t('mustBeMore', { now }) : null
  function submit(event: FormEvent) {
    event.preventDefault()
    if (value !== null && !reason) raise.mutate(value)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <span className="text-soft">{isSteps ? t('steps') : t('budgetUsd')}</span>
      <span className="w-24">
        <Input
          aria-label={isSteps ? t('newStepLimit') : t('newBudgetInUsDollars')}
          inputMode="decimal"
          value={text}
          onValueChange={setText}
        />
      </span>
      <Button type="submit" look="primary" busy={raise.isPending} disabledReason={reason}>
        {t('raiseAndContinue')}
      </Button>
      {!isSteps && !info.price_known && <BudgetNote />}
    </form>
  )
}
