import { type ReactNode, useState } from 'react'
import type { Backup, StorageChoice, StorageQuestion } from '../../../server/api/v1/system/storage.ts'
import { formatBytes, formatMoment } from '../../state/format.ts'
import { BACKUP_REASONS } from '../../state/storage/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { t } from './text.ts'

export interface Answer {
  choice: StorageChoice
  backup: string | null
}

export interface AnswersProps {
  kind: StorageQuestion['kind']
  /** Newest first. */
  backups: readonly Backup[]
  busy: boolean
  onAnswer: (answer: Answer) => void
}

export function Answers({ kind, backups, busy, onAnswer }: AnswersProps) {
  const wait = busy ? t('waitUntilItIsDone') : null
  return (
    <div className="flex flex-col rounded-lg border border-line">
      <RestoreAnswer backups={backups} wait={wait} onAnswer={onAnswer} />
      {kind === 'newer' ? null : <NewDatabaseAnswers wait={wait} onAnswer={onAnswer} />}
    </div>
  )
}

function NewDatabaseAnswers({ wait, onAnswer }: Pick<RestoreAnswerProps, 'wait' | 'onAnswer'>) {
  return (
    <>
      <AnswerRow title={t('startOverWithSandboxes')} detail={t('startOverWithSandboxesHint')}>
        <Button disabledReason={wait} onClick={() => onAnswer({ choice: 'adopt', backup: null })}>
          {t('keepSandboxes')}
        </Button>
      </AnswerRow>
      <AnswerRow title={t('startOverWithoutThem')} detail={t('asOnFirstDay')}>
        <Button disabledReason={wait} onClick={() => onAnswer({ choice: 'new', backup: null })}>
          {t('startEmpty')}
        </Button>
      </AnswerRow>
    </>
  )
}

interface RestoreAnswerProps extends Pick<AnswersProps, 'backups' | 'onAnswer'> {
  wait: string | null
}

function RestoreAnswer({ backups, wait, onAnswer }: RestoreAnswerProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [newest] = backups
  const name = chosen ?? newest?.name ?? null
  const options = backups.map(backup => ({
    value: backup.name,
    label: formatMoment(Date.parse(backup.created_at)),
    hint: `${BACKUP_REASONS[backup.kind]}, ${formatBytes(backup.bytes)}`,
  }))
  return (
    <AnswerRow title={t('restoreBackup')} detail={newest ? t('restoreHint') : t('thereIsNoBackup')}>
      {newest ? (
        <>
          <Select
            aria-label={t('backup')}
            value={name}
            options={options}
            onValueChange={setChosen}
            disabled={wait !== null}
            className="w-auto! min-w-56 flex-1"
          />
          <Button
            look="primary"
            size="large"
            disabledReason={wait}
            onClick={() => onAnswer({ choice: 'restore', backup: name })}
          >
            {t('restore')}
          </Button>
        </>
      ) : null}
    </AnswerRow>
  )
}

function AnswerRow({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-b border-line p-4 last:border-b-0">
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="text-soft">{detail}</p>
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </section>
  )
}
