import { type KeyboardEvent, useState } from 'react'
import { updateAppConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from '../text.ts'

const MAX_LENGTH = 200

/** The title; a click edits it in place, Enter keeps and Esc drops what was written. */
export function EditableTitle() {
  const { id, info } = useOpenConversation()
  const told = useSnapshot(({ conversation }) => conversation.full?.title)
  const title = info.title ?? told ?? ''
  const [text, setText] = useState<string | null>(null)
  const rename = useCommand((client, next: string) =>
    client.call(updateAppConversation, { params: { conversation_id: id }, body: { title: next } }),
  )
  function keep() {
    const next = text?.trim() ?? ''
    if (next !== '' && next !== title) rename.mutate(next)
    setText(null)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') keep()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(null)
  }
  return (
    <h1 className={text === null ? 'min-w-24 shrink truncate font-semibold' : 'max-w-120 flex-1 font-semibold'}>
      {text === null ? (
        <button
          type="button"
          title={title ? t('titlePressToChange', { title }) : t('giveItTitle')}
          onClick={() => setText(title)}
          className="block max-w-full truncate rounded-md px-1 py-0.5 hover:bg-hover"
        >
          {rename.isPending ? rename.variables : title || t('untitledConversation')}
        </button>
      ) : (
        <input
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
          autoFocus
          aria-label={t('title')}
          value={text}
          maxLength={MAX_LENGTH}
          onChange={event => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={keep}
          className="control h-7"
        />
      )}
    </h1>
  )
}
