import { Field } from '@base-ui/react/field'
import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { useReplay } from '../api/start.ts'
import { count, repositoryName } from '../state/format.ts'
import { readSavedLog, type SavedLog } from '../state/launch/saved-log.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice, Notice } from '../ui/ErrorNotice.tsx'
import { Switch } from '../ui/field/Switch.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'

/** Chooses a saved log, says what is in it, and starts its replay. */
export function ReplayDialog({ onClose }: { onClose: () => void }) {
  const read = useMutation({ mutationFn: readSavedLog })
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
    if (log) replay.mutate({ events: log.events, ...(cloning && log.repository ? whereOf(log) : {}) })
  }
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        look="primary"
        busy={replay.isPending}
        disabledReason={log ? null : 'Choose a saved log first.'}
        onClick={start}
      >
        Replay
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title="Replay a saved log"
      description="What the agent said and did is taken from the log, step by step. Its commands run again, for real, in a new sandbox. No model is asked until the log has ended; then yours goes on."
      footer={buttons}
    >
      <FileChoice name={name} busy={read.isPending} onFiles={choose} />
      {read.error ? <Notice what={`${name} cannot be replayed.`} meaning={read.error.message} /> : null}
      {log ? <Contents name={name} log={log} cloning={cloning} onCloning={setCloning} /> : null}
      {replay.error ? <ErrorNotice error={replay.error} /> : null}
    </Dialog>
  )
}

function whereOf({ repository, branch, provider }: SavedLog) {
  return { selected_repository: repository, selected_branch: branch || null, git_provider: provider }
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
      aria-label="The file"
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
        aria-label="Saved log"
        onChange={event => {
          onFiles(event.target.files)
          event.target.value = ''
        }}
      />
      <Button icon={<FileUp size={14} aria-hidden />} busy={busy} onClick={() => input.current?.click()}>
        {name ? 'Choose another file …' : 'Choose a file …'}
      </Button>
      <p className="text-faint text-sm">
        Or drop it here: the ZIP of “Save its log”, or JSON of events, also of the older format. 100 MB at most.
      </p>
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
  const where = log.branch ? `${repositoryName(log.repository)} @ ${log.branch}` : repositoryName(log.repository)
  return (
    <>
      <div role="status" className="flex flex-col gap-1">
        <p className="wrap-anywhere">
          <span className="font-mono text-sm">{name}</span> has {count(log.steps, 'step')} of the agent.
        </p>
        {log.begins ? (
          <p className="line-clamp-3 border-line border-l-2 pl-3 whitespace-pre-wrap text-soft">{log.begins}</p>
        ) : null}
      </div>
      {log.hasSubAgents ? (
        <p className="text-soft">It hands work to sub-agents. What they said is not in it, so they ask your model.</p>
      ) : null}
      {log.repository ? (
        <Field.Root className="flex items-start justify-between gap-6">
          <div className="min-w-0">
            <Field.Label className="wrap-anywhere">Clone {where} first</Field.Label>
            <Field.Description className="text-faint text-sm">
              As it is now. Without it the sandbox begins empty.
            </Field.Description>
          </div>
          <Switch checked={cloning} onCheckedChange={onCloning} />
        </Field.Root>
      ) : null}
    </>
  )
}
