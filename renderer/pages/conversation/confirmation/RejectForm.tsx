import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { t } from '../text.ts'

export interface RejectFormProps {
  busy: boolean
  /** The reason as it was written; '' for none. */
  onReject: (reason: string) => void
  onCancel: () => void
}

/** The model reads the reason, so that it can do it otherwise. */
export function RejectForm({ busy, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason] = useState('')
  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    onReject(reason.trim())
  }
  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    <form aria-label={t('reject')} onSubmit={submit} className="flex flex-col gap-2">
      <Textarea
        autoFocus
        aria-label={t('whyNot')}
        placeholder={t('whyNotOrWhatToDo')}
        rows={2}
        className="min-h-14!"
        value={reason}
        onValueChange={setReason}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="danger" busy={busy}>
          {t('reject')}
        </Button>
        <Button onClick={onCancel}>{t('back')}</Button>
        <span className="min-w-0 text-faint text-sm">
          {reason.trim() ? t('agentContinuesWithReason') : t('agentWaitsWithoutReason')}
        </span>
      </div>
    </form>
  )
}
