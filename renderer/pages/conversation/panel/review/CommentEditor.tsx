import { useState } from 'react'
import { MAX_COMMENT_LENGTH } from '../../../../../server/api/event/review-comments.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { t } from './text.ts'

interface Props {
  text: string
  isWriting: boolean
  label: string
  onEdit: () => void
  onCancel: () => void
  /** An empty text removes the comment. */
  onSave: (text: string) => void
}

/** A comment under its line, or the field in which it is written. */
export function CommentEditor({ text, isWriting, label, onEdit, onCancel, onSave }: Props) {
  const [draft, setDraft] = useState(text)
  if (!isWriting)
    return (
      <div className="flex items-start gap-2 border-line border-s-2 ps-3">
        <div className="min-w-0 flex-1">
          <p className="text-faint text-sm">{t('notSentYet')}</p>
          <p className="whitespace-pre-wrap break-words">{text}</p>
        </div>
        <Button size="small" onClick={onEdit}>
          {t('edit')}
        </Button>
        <Button size="small" onClick={() => onSave('')}>
          {t('remove')}
        </Button>
      </div>
    )
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={event => {
        event.preventDefault()
        if (draft.trim()) onSave(draft)
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && draft.trim()) onSave(draft)
      }}
    >
      <Textarea autoFocus maxLength={MAX_COMMENT_LENGTH} aria-label={label} value={draft} onValueChange={setDraft} />
      <div className="flex gap-2">
        <Button type="submit" size="small" look="primary" disabledReason={draft.trim() ? null : t('writeCommentFirst')}>
          {t('addComment')}
        </Button>
        <Button size="small" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
