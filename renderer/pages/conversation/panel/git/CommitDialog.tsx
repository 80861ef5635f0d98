import { useState } from 'react'
import type { GitState, WorkingFile } from '../../../../../server/api/v1/git/commits.ts'
import { useCommit, useDraft } from '../../../../api/git-state.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Switch } from '../../../../ui/field/Switch.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { DraftButton } from './DraftButton.tsx'

interface Props {
  state: GitState
  onClose: () => void
}

/** Which files, with which message, and on which branch. */
export function CommitDialog({ state, onClose }: Props) {
  const { id, info } = useOpenConversation()
  const commit = useCommit(id)
  const draft = useDraft(id)
  const [replaced, setReplaced] = useState<string | null>(null)
  const [message, setMessage] = useState(info.title ?? '')
  // Nobody's default branch is committed to by oversight.
  const [branch, setBranch] = useState(state.branch === state.default_branch ? `atelier/${id.slice(0, 8)}` : '')
  const [amend, setAmend] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const staged = state.files.filter(file => file.staged !== null).length
  const [onlyStaged, setOnlyStaged] = useState(false)
  const chosen = state.files.filter(({ path }) => !left.has(path))
  const isAll = chosen.length === state.files.length
  const count = onlyStaged ? staged : chosen.length
  const reason = message.trim() === '' ? t('giveCommitMessage') : count > 0 || amend ? null : t('chooseFiles')
  const scope = onlyStaged
    ? { scope: 'staged' as const }
    : isAll
      ? { scope: 'all' as const }
      : { scope: 'paths' as const, paths: chosen.map(({ path }) => path) }
  function write() {
    draft.mutate(scope, {
      onSuccess: ({ title, body }) => {
        setReplaced(message)
        setMessage(body === '' ? title : `${title}\n\n${body}`)
      },
    })
  }
  function undoDraft() {
    setMessage(replaced ?? '')
    setReplaced(null)
  }
  function submit() {
    if (reason !== null || commit.isPending) return
    commit.mutate(
      { message: message.trim(), ...scope, amend, new_branch: branch.trim() || null },
      {
        onSuccess: done => {
          onClose()
          notifyDone(t('committed', { count: done.files, branch: done.branch ?? t('noBranch') }))
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('commitTitle')}
      description={t('commitAuthor', state.identity)}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={commit.isPending} disabledReason={reason} onClick={submit}>
            {t('doCommit', { count })}
          </Button>
        </>
      }
    >
      {commit.error ? <ErrorNotice error={commit.error} /> : null}
      {draft.error ? <ErrorNotice error={draft.error} /> : null}
      <Field
        label={t('commitMessage')}
        aside={
          <DraftButton
            busy={draft.isPending}
            disabledReason={count === 0 ? t('chooseFiles') : null}
            onClick={write}
            onUndo={replaced === null ? null : undoDraft}
          />
        }
      >
        <Textarea
          value={message}
          onValueChange={setMessage}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        />
      </Field>
      {staged > 0 && (
        <Field label={t('onlyStaged')} hint={t('stagedInReview', { count: staged })}>
          <Switch checked={onlyStaged} onCheckedChange={setOnlyStaged} />
        </Field>
      )}
      {!onlyStaged && <Files state={state} left={left} onLeave={setLeft} />}
      <Field label={t('onNewBranch')} hint={t('staysOnBranch', { branch: state.branch ?? t('noBranch') })}>
        <Input mono value={branch} onValueChange={setBranch} />
      </Field>
      {state.amendable && (
        <Field label={t('amendLast')} hint={t('amendHint', { subject: state.message?.split('\n')[0] ?? '' })}>
          <Switch checked={amend} onCheckedChange={setAmend} />
        </Field>
      )}
    </Dialog>
  )
}

interface FilesProps {
  state: GitState
  left: ReadonlySet<string>
  onLeave: (left: ReadonlySet<string>) => void
}

function Files({ state: { files, more_files }, left, onLeave }: FilesProps) {
  const chosen = files.filter(({ path }) => !left.has(path)).length
  function choose({ path }: WorkingFile, isChosen: boolean) {
    const next = new Set(left)
    if (isChosen) next.delete(path)
    else next.add(path)
    onLeave(next)
  }
  if (files.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium">{t('filesOfCommit')}</legend>
      {files.length > 1 && (
        <Checkbox
          checked={chosen === files.length}
          mixed={chosen > 0 && chosen < files.length}
          onCheckedChange={all => onLeave(new Set(all ? [] : files.map(({ path }) => path)))}
        >
          {t('allFiles')}
        </Checkbox>
      )}
      <ul className="max-h-48 overflow-y-auto rounded-md border border-line px-2 py-1">
        {files.map(file => (
          <li key={file.path} className="[content-visibility:auto]">
            <Checkbox checked={!left.has(file.path)} onCheckedChange={isChosen => choose(file, isChosen)}>
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-mono text-sm" title={shownName(file.path)}>
                  <PathText path={file.path} />
                </span>
                <Mark file={file} />
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {more_files && <p className="text-faint text-sm">{t('moreFilesThanListed')}</p>}
    </fieldset>
  )
}

function Mark({ file: { staged, unstaged } }: { file: WorkingFile }) {
  const states = [staged, unstaged]
  if (states.includes('CONFLICT')) return <Badge tone="wait">{t('conflict')}</Badge>
  if (states.includes('DELETED')) return <Badge tone="bad">{t('deleted')}</Badge>
  return states.includes('ADDED') ? <Badge tone="good">{t('new')}</Badge> : null
}
