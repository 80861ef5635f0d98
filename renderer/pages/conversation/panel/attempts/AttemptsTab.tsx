import { useState } from 'react'
import { withoutAttachedFiles } from '../../../../../server/api/attached-files.ts'
import { type AttemptSet, deleteAttempts, keepAttempt } from '../../../../../server/api/v1/conversation/attempts.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Select } from '../../../../ui/field/Select.tsx'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { useOpenConversation } from '../../context.ts'
import { isComparable } from '../comparison/use-sides.ts'
import { AttemptCard } from './AttemptCard.tsx'
import { ORDERS, type Order, sortedAttempts } from './sorting.ts'
import { t } from './text.ts'

/** What came of each attempt, side by side, and which one is kept. */
export function AttemptsTab({ attempts }: { attempts: readonly AttemptSet[] }) {
  return (
    <div className="flex flex-col divide-y divide-line">
      {attempts.map(set => (
        <SetOfAttempts key={set.id} set={set} />
      ))}
    </div>
  )
}

/** What is asked before conversations are deleted: all but the one that is named, or all. */
type Question = { kept: string; number: number } | 'delete'

const ORDER_WORDS = {
  number: 'asAskedFor',
  check: 'passingFirst',
  changes: 'smallestFirst',
  cost: 'cheapestFirst',
  time: 'quickestFirst',
} as const satisfies Record<Order, string>

function SetOfAttempts({ set }: { set: AttemptSet }) {
  const { id, ask: askFor } = useOpenConversation()
  // The last one stays while the dialog closes.
  const [question, setQuestion] = useState<Question>('delete')
  const [isAsking, setAsking] = useState(false)
  const ask = (asked: Question) => {
    setQuestion(asked)
    setAsking(true)
  }
  const [order, setOrder] = useState<Order>('number')
  const params = { conversation_id: id, attempts_id: set.id }
  const answer = useCommand(async (client, asked: Question) => {
    if (asked === 'delete') await client.call(deleteAttempts, { params })
    else await client.call(keepAttempt, { params, body: { conversation_id: asked.kept } })
    setAsking(false)
  })
  const others = set.attempts.length - 1
  const comparable = set.attempts.filter(isComparable).map(({ conversation_id }) => conversation_id)
  const [first = id, second = id] = comparable
  return (
    <section className="flex flex-col gap-3 p-4">
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 dir="auto" className="line-clamp-3 font-medium break-words whitespace-pre-line">
            {withoutAttachedFiles(set.task)}
          </h3>
          <p className="text-sm text-faint">
            <RelativeTime time={set.created_at} ago />
            {set.check === null ? null : (
              <>
                {' · '}
                <code dir="ltr" className="break-all">
                  {set.check}
                </code>
              </>
            )}
          </p>
        </div>
        <span className="flex shrink-0 flex-wrap justify-end gap-2">
          <Button
            size="small"
            disabledReason={comparable.length === 0 ? t('nothingToCompare') : null}
            onClick={() => askFor({ compare: comparable.length > 1 ? [first, second] : [id, first] })}
          >
            {t('compare')}
          </Button>
          <Button size="small" onClick={() => ask('delete')}>
            {t('deleteAll')}
          </Button>
        </span>
      </header>
      {set.attempts.length > 1 ? (
        <Select<Order>
          aria-label={t('order')}
          value={order}
          options={ORDERS.map(value => ({ value, label: t(ORDER_WORDS[value]) }))}
          onValueChange={setOrder}
          className="w-44"
        />
      ) : null}
      <ol className="flex flex-col gap-2">
        {sortedAttempts(set.attempts, order).map(attempt => (
          <AttemptCard
            key={attempt.conversation_id}
            attempt={attempt}
            onKeep={() => ask({ kept: attempt.conversation_id, number: attempt.number })}
          />
        ))}
      </ol>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={question === 'delete' ? t('deleteAllTitle') : t('keepTitle', question)}
        confirm={question === 'delete' ? t('deleteAll') : t('keep')}
        busy={answer.isPending}
        onConfirm={() => answer.mutate(question)}
      >
        {question === 'delete' ? t('whatDeleteAllDoes') : t('whatKeepDoes', { count: others })}
      </AlertDialog>
    </section>
  )
}
