import { useState } from 'react'
import type { GitState } from '../../../../../server/api/v1/git/commits.ts'
import { useDraft, useOpenPullRequest } from '../../../../api/git-state.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Switch } from '../../../../ui/field/Switch.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { DraftButton } from './DraftButton.tsx'

export function PullRequestDialog({ state, onClose }: { state: GitState; onClose: () => void }) {
  const { id, info } = useOpenConversation()
  const open = useOpenPullRequest(id)
  const [subject = '', ...rest] = (state.message ?? '').split('\n')
  const [title, setTitle] = useState(subject || (info.title ?? ''))
  const [body, setBody] = useState(rest.join('\n').trim())
  const [base, setBase] = useState(state.default_branch ?? '')
  const [draft, setDraft] = useState(false)
  const [reviewers, setReviewers] = useState('')
  const text = useDraft(id)
  const [replaced, setReplaced] = useState<{ title: string; body: string } | null>(null)
  function write() {
    text.mutate(
      { for: 'pull_request', base: base.trim() || null },
      {
        onSuccess: drafted => {
          setReplaced({ title, body })
          setTitle(drafted.title)
          setBody(drafted.body)
        },
      },
    )
  }
  function undoDraft() {
    setTitle(replaced?.title ?? '')
    setBody(replaced?.body ?? '')
    setReplaced(null)
  }
  const { remote, branch } = state
  const seen = { url: remote?.url ?? null, branch }
  const submit = () =>
    open.mutate(
      { ...seen, title: title.trim(), body, base: base.trim() || null, draft, reviewers: namesIn(reviewers) },
      {
        onSuccess: ({ pull_request, existing, reviewers_problem: problem }) => {
          onClose()
          const number = `#${pull_request.number}`
          notifyDone(existing ? t('pullRequestWasOpen', { number }) : t('pullRequestOpened', { number }))
          if (problem) notifyDone(t('reviewersWereNotAsked', { problem }))
        },
      },
    )
  return (
    <Dialog
      open
      onOpenChange={isOpen => {
        if (!isOpen) onClose()
      }}
      title={t('pullRequestTitle')}
      description={t('fromBranch', { branch: branch ?? t('noBranch'), repository: remote?.url ?? '' })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={open.isPending}
            disabledReason={title.trim() === '' ? t('giveTitle') : null}
            onClick={submit}
          >
            {t('doOpen')}
          </Button>
        </>
      }
    >
      {open.error ? <ErrorNotice error={open.error} /> : null}
      {text.error ? <ErrorNotice error={text.error} /> : null}
      <Field
        label={t('titleOfRequest')}
        aside={
          <DraftButton busy={text.isPending} disabledReason={null} onClick={write} onUndo={replaced && undoDraft} />
        }
      >
        <Input value={title} onValueChange={setTitle} />
      </Field>
      <Field label={t('descriptionOfRequest')}>
        <Textarea value={body} onValueChange={setBody} />
      </Field>
      <Field label={t('intoBranch')}>
        <Input mono value={base} onValueChange={setBase} />
      </Field>
      <Field label={t('reviewers')} hint={t('namesByCommas')}>
        <Input value={reviewers} onValueChange={setReviewers} />
      </Field>
      <Field label={t('asDraft')} hint={t('notReadyForReview')}>
        <Switch checked={draft} onCheckedChange={setDraft} />
      </Field>
    </Dialog>
  )
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map(name => name.trim().replace(/^@/, ''))
    .filter(name => name !== '')
}
