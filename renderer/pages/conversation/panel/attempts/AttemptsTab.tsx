import { useState } from 'react'
import { type AttemptSet, deleteAttempts, keepAttempt } from '../../../../../server/api/v1/conversation/attempts.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { Button } from '../../../../ui/Button.tsx'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { useOpenConversation } from '../../context.ts'
import { AttemptCard } from './AttemptCard.tsx'
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

function SetOfAttempts({ set }: { set: AttemptSet }) {
  const { id } = useOpenConversation()
  const [question, setQuestion] = useState<Question | null>(null)
  const params = { conversation_id: id, attempts_id: set.id }
  const answer = useCommand(async (client, asked: Question) => {
    if (asked === 'delete') await client.call(deleteAttempts, { params })
    else await client.call(keepAttempt, { params, body: { conversation_id: asked.kept } })
    setQuestion(null)
  })
  const others = set.attempts.length - 1
  return (
    <section className="flex flex-col gap-3 p-4">
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 dir="auto" className="line-clamp-3 font-medium">
            {set.task}
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
        <Button size="small" onClick={() => setQuestion('delete')}>
          {t('deleteAll')}
        </Button>
      </header>
      <ol className="flex flex-col gap-2">
        {set.attempts.map((attempt, index) => (
          <AttemptCard
            key={attempt.conversation_id}
            attempt={attempt}
            number={index + 1}
            onKeep={() => setQuestion({ kept: attempt.conversation_id, number: index + 1 })}
          />
        ))}
      </ol>
      <AlertDialog
        open={question !== null}
        onOpenChange={open => {
          if (!open) setQuestion(null)
        }}
        title={question === null || question === 'delete' ? t('deleteAllTitle') : t('keepTitle', question)}
        confirm={question === null || question === 'delete' ? t('deleteAll') : t('keep')}
        busy={answer.isPending}
        onConfirm={() => {
          if (question !== null) answer.mutate(question)
        }}
      >
        {question === null || question === 'delete' ? t('whatDeleteAllDoes') : t('whatKeepDoes', { count: others })}
      </AlertDialog>
    </section>
  )
}
