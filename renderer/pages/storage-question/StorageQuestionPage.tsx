import { useMutation, useQuery } from '@tanstack/react-query'
import { answerStorage, type StorageChoice, type StorageStatus } from '../../../server/api/v1/system/storage.ts'
import type { Client } from '../../../server/client/client.ts'
import { reopened, storageQuery } from '../../api/storage.ts'
import { Mark } from '../../components/Mark.tsx'
import { problemOf } from '../../state/notice/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { type Answer, Answers } from './Answers.tsx'
import { t } from './text.ts'

/** In the place of everything else, while the service waits for a decision, as it has no usable database. */
export function StorageQuestionPage({ client, onDecided }: { client: Client; onDecided: () => void }) {
  const storage = useQuery(storageQuery(client))
  const answer = useMutation({
    mutationFn: async (given: Answer) => {
      await client.call(answerStorage, { body: given })
      const asked = storage.data?.question?.asked_at
      return reopened(client, ({ question }) => question === null || question.asked_at !== asked)
    },
    onSuccess: async now => {
      if (now.question === null) onDecided()
      else await storage.refetch()
    },
  })
  return (
    <main className="h-full overflow-y-auto bg-surface">
      <div className="mx-auto flex max-w-140 flex-col gap-5 px-5 py-12">
        <Mark size={32} />
        {storage.data?.question ? <Words status={storage.data} /> : null}
        {answer.error || storage.error ? <Failure error={answer.error ?? storage.error} onRetry={onDecided} /> : null}
        {answer.isPending ? (
          <div role="status" className="flex flex-col gap-2">
            <p>{PROGRESS[answer.variables.choice]}</p>
            <Progress label={t('openingDatabase')} value={null} />
          </div>
        ) : null}
        {storage.data?.question ? (
          <Answers
            kind={storage.data.question.kind}
            backups={storage.data.backups}
            busy={answer.isPending}
            onAnswer={answer.mutate}
          />
        ) : null}
        <Leave isNewer={storage.data?.question?.kind === 'newer'} />
      </div>
    </main>
  )
}

const PROGRESS: Record<StorageChoice, string> = {
  restore: t('restoringBackup'),
  adopt: t('makingNewDatabase'),
  new: t('makingEmptyDatabase'),
}

const TITLES = {
  missing: t('databaseIsMissing'),
  damaged: t('databaseIsDamaged'),
  newer: t('databaseIsNewer'),
} as const
const MEANINGS = {
  missing: t('atelierWasUsed'),
  damaged: t('nothingInDatabase'),
  newer: t('tablesAreNotKnown'),
} as const

function Words({ status: { question, disk } }: { status: StorageStatus }) {
  if (!question) return null
  return (
    <>
      <div className="flex flex-col gap-2">
        <h1 className="text-xl font-semibold">{TITLES[question.kind]}</h1>
        <p className="text-soft">{MEANINGS[question.kind]}</p>
        {disk ? <p className="font-mono text-sm wrap-anywhere text-faint">{disk.path}</p> : null}
      </div>
      {question.problem ? <Notice what={t('thatCouldNotBeDone')} meaning={question.problem} /> : null}
    </>
  )
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { what, meaning } = problemOf(error)
  return (
    <Notice what={what} meaning={meaning}>
      <Button size="small" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </Notice>
  )
}

/** A browser cannot end the service. */
function Leave({ isNewer }: { isNewer: boolean }) {
  const desktop = window.atelier
  const other = desktop ? t('putFileBack') : t('orPutFileBack')
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-faint">
      <p className="min-w-0 flex-1 basis-72">{isNewer ? t('installNewerAgain') : other}</p>
      {desktop ? <Button onClick={() => void desktop.quit()}>{t('quitAtelier')}</Button> : null}
    </div>
  )
}
