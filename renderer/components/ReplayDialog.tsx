import { Field } from '@base-ui/react/field'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import type { SavedLog } from '../../server/api/v1/conversation/replays.ts'
import { useReadSavedLog, useReplay } from '../api/start.ts'
import { repositoryName } from '../state/format.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice, Notice } from '../ui/ErrorNotice.tsx'
import { Switch } from '../ui/field/Switch.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { t } from './text.ts'

/** Chooses a saved log, says what is in it, and starts its replay. */
export function ReplayDialog({ onClose }: { onClose: () => void }) {
  const read = useReadSavedLog()
  const [name, setName] = useState('')
  const [cloning, setCloning] = useState(true)
  const replay = useReplay(onClose)
  const log = read.data
  function choose(files: FileList | null) {
    const [file] = files ?? []
    if (!file) return
    setName(file.name)
    replay.reset()
    read.mutate(file)
  }
  const start = () => {
    if (log) replay.mutate({ events: log.events, ...(cloning && log.selected_repository ? whereOf(log) : {}) })
  }
  const buttons = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button
        look="primary"
        busy={replay.isPending}
        disabledReason={log ? null : t('chooseSavedLogFirst')}
        onClick={start}
      >
        {t('replay')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('replayTitle')}
      description={t('whatAgentSaidAndDid')}
      footer={buttons}
    >
      <FileChoice name={name} busy={read.isPending} onFiles={choose} />
      {read.error ? <Notice what={t('nameCannotBeReplayed', { name })} meaning={read.error.message} /> : null}
      {log ? <Contents name={name} log={log} cloning={cloning} onCloning={setCloning} /> : null}
      {replay.error ? <ErrorNotice error={replay.error} /> : null}
    </Dialog>
  )
}

function whereOf({ selected_repository, selected_branch, git_provider }: SavedLog) {
  return { selected_repository, selected_branch, git_provider }
}

interface FileChoiceProps {
  name: string
  busy: boolean
  onFiles: (files: FileList | null) => void
}

function FileChoice({ name, busy, onFiles }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  return (
    <section
      aria-label={t('file')}
      className={`flex flex-col items-center gap-2 rounded-md border border-dashed px-4 py-5 text-center ${over ? 'border-accent bg-accent-wash' : 'border-edge'}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,.json,application/zip,application/json"
        aria-label={t('savedLog')}
        onChange={event => {
          onFiles(event.target.files)
          event.target.value = ''
        }}
      />
      <Button icon={<FileUp size={14} aria-hidden />} busy={busy} onClick={() => input.current?.click()}>
        {name ? t('chooseAnotherFile') : t('chooseFile')}
      </Button>
      <p className="text-faint text-sm">{t('orDropItHere')}</p>
    </section>
  )
}

interface ContentsProps {
  name: string
  log: SavedLog
  cloning: boolean
  onCloning: (on: boolean) => void
}

function Contents({ name, log, cloning, onCloning }: ContentsProps) {
  const { first_message, selected_repository: repository, selected_branch: branch } = log
  const where = repository && (branch ? `${repositoryName(repository)} @ ${branch}` : repositoryName(repository))
  return (
    <>
      <div role="status" className="flex flex-col gap-1">
        <p className="wrap-anywhere">
          {t.rich('stepsInLog', {
            name,
            steps: log.agent_steps,
            mono: chunks => <span className="font-mono text-sm">{chunks}</span>,
          })}
        </p>
        {first_message ? (
          <p className="line-clamp-3 border-line border-s-2 ps-3 whitespace-pre-wrap text-soft">{first_message}</p>
        ) : null}
      </div>
      {log.has_sub_agents ? <p className="text-soft">{t('replayWithSubAgents')}</p> : null}
      {where ? (
        <Field.Root className="flex items-start justify-between gap-6">
          <div className="min-w-0">
            <Field.Label className="wrap-anywhere">{t('cloneFirst', { where })}</Field.Label>
            <Field.Description className="text-faint text-sm">{t('asItIsNow')}</Field.Description>
          </div>
          <Switch checked={cloning} onCheckedChange={onCloning} />
        </Field.Root>
      ) : null}
    </>
  )
}
