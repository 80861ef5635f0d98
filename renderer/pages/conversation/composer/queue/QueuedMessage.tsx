import { ArrowUp, ChevronDown, ChevronUp, Pencil, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { PendingMessage } from '../../../../../server/api/v1/conversation/pending-messages.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { t } from './text.ts'

export interface QueuedMessageProps {
  message: PendingMessage
  /** Among those that wait, from 1. */
  place: number
  isLast: boolean
  onMove: (place: number) => void
  onSend: () => void
  onWithdraw: () => void
  /** What is being written in its place; null where it is not being edited. */
  edited: string | null
  onEdit: (text: string) => void
  onCancel: () => void
  isSaving: boolean
  onSave: (content: PendingMessage['content']) => void
}

/** A message that waits: it can be changed, moved, sent at once and withdrawn. */
export function QueuedMessage(props: QueuedMessageProps) {
  const { message, place, isLast, onMove, onSend, onWithdraw, edited, onEdit } = props
  const text = textOf(message)
  const images = message.content.filter(({ type }) => type === 'image').length
  if (edited !== null) return <EditedMessage {...props} edited={edited} />
  return (
    <li className="flex items-start gap-2 py-0.5 ps-3 pe-2">
      <p dir="auto" className="line-clamp-2 min-w-0 flex-1 py-1 text-sm wrap-anywhere" title={text}>
        {text}
        {images > 0 && <span className="text-soft"> {t('images', { count: images })}</span>}
      </p>
      <div className="flex shrink-0">
        <IconButton size="small" label={t('sendNow')} icon={<ArrowUp size={13} aria-hidden />} onClick={onSend} />
        <IconButton
          size="small"
          label={t('edit')}
          icon={<Pencil size={13} aria-hidden />}
          onClick={() => onEdit(text)}
        />
        <IconButton
          size="small"
          label={t('moveUp')}
          icon={<ChevronUp size={13} aria-hidden />}
          disabledReason={place === 1 ? t('isFirst') : null}
          onClick={() => onMove(place - 1)}
        />
        <IconButton
          size="small"
          label={t('moveDown')}
          icon={<ChevronDown size={13} aria-hidden />}
          disabledReason={isLast ? t('isLast') : null}
          onClick={() => onMove(place + 1)}
        />
        <IconButton size="small" label={t('withdraw')} icon={<X size={13} aria-hidden />} onClick={onWithdraw} />
      </div>
    </li>
  )
}

function EditedMessage({
  message,
  edited,
  onEdit,
  onCancel,
  isSaving,
  onSave,
}: QueuedMessageProps & { edited: string }) {
  const others = message.content.filter(part => part.type !== 'text')
  const isEmpty = edited.trim() === '' && others.length === 0

  function save() {
    if (isEmpty || isSaving) return
    const said = edited.trim() === '' ? [] : [{ type: 'text' as const, text: edited.trim() }]
    onSave([...said, ...others])
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    // On the page it would pause the agent.
    event.stopPropagation()
    onCancel()
  }
  function onFieldKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    save()
  }
  return (
    <li className="flex flex-col gap-1 px-2 py-1" onKeyDown={onKeyDown}>
      <Textarea
        ref={placeCaret}
        aria-label={t('edit')}
        rows={2}
        value={edited}
        onValueChange={onEdit}
        onKeyDown={onFieldKeyDown}
      />
      <div className="flex justify-end gap-1">
        <Button size="small" look="quiet" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button
          size="small"
          look="primary"
          busy={isSaving}
          disabledReason={isEmpty ? t('writeSomething') : null}
          onClick={save}
        >
          {t('save')}
        </Button>
      </div>
    </li>
  )
}

/** What is edited goes on at its end. */
function placeCaret(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

function textOf({ content }: PendingMessage): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}
