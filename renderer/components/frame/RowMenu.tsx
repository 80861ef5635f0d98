import { useNavigate, useParams } from '@tanstack/react-router'
import { Archive, ArchiveRestore, CircleDot, PencilLine, Pin, PinOff, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react'
import { type AppConversation, updateAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { titleOf } from '../../state/conversation/list.ts'
import { changeMarks, isUnread, seenAt, useListMarks } from '../../state/conversation/list-marks.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { ContextMenu } from '../../ui/overlay/ContextMenu.tsx'
import { FormDialog } from '../../ui/overlay/FormDialog.tsx'
import { MenuItem, MenuSeparator } from '../../ui/overlay/Menu.tsx'
import { notifyDone } from '../../ui/overlay/toast.ts'
import { DeleteConversation } from '../DeleteConversation.tsx'
import { OpenInWindow } from '../OpenInWindow.tsx'
import { t } from '../text.ts'
import { useCommand } from '../use-command.ts'
import { usePlaceInList } from './use-place-in-list.ts'
import type { Several } from './use-several.ts'

interface RowMenuProps {
  /** The list, with the conversation's id on each row, as `data-conversation`. */
  trigger: ReactElement<{ onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void }>
  conversations: readonly AppConversation[]
  /** What is done with several at once. */
  several: Several
  children: ReactNode
}

type Asked = { what: 'rename' | 'delete'; conversation: AppConversation }

/** What can be done with a conversation in the list, or with all that are selected; F2 renames one, and Delete asks whether to delete. */
export function RowMenu({ trigger, conversations, several, children }: RowMenuProps) {
  const [chosen, setChosen] = useState<AppConversation | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { conversationId: openId } = useParams({ strict: false })
  const navigate = useNavigate()
  const rowOf = (target: EventTarget) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-conversation]') : null
    return conversations.find(({ id }) => id === row?.dataset.conversation)
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const conversation = rowOf(event.target)
    const what = ({ F2: 'rename', Delete: 'delete' } as const)[event.key]
    if (!conversation || !what) return
    event.preventDefault()
    if (what === 'delete' && several.includes(conversation)) several.askDelete()
    else setAsked({ what, conversation })
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it */}
      <div className="contents" onKeyDown={onKeyDown}>
        <ContextMenu
          trigger={trigger}
          onChoose={target => {
            const conversation = rowOf(target)
            setChosen(conversation ?? null)
            return conversation !== undefined
          }}
          items={
            chosen &&
            (several.includes(chosen) ? (
              <SeveralItems several={several} />
            ) : (
              <Items conversation={chosen} onAsk={what => setAsked({ what, conversation: chosen })} />
            ))
          }
        >
          {children}
        </ContextMenu>
      </div>
      {asked?.what === 'rename' && (
        <RenameConversation conversation={asked.conversation} onClose={() => setAsked(null)} />
      )}
      {asked && (
        <DeleteConversation
          conversation={asked.conversation}
          open={asked.what === 'delete'}
          onOpenChange={open => !open && setAsked(null)}
          onDeleted={() => {
            if (asked.conversation.id === openId) void navigate({ to: '/' })
          }}
        />
      )}
    </>
  )
}

function SeveralItems({ several: { count, archive, askDelete } }: { several: Several }) {
  return (
    <>
      <MenuItem icon={<Archive size={13} aria-hidden />} onSelect={archive}>
        {t('archiveSeveral', { count })}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={13} aria-hidden />} shortcut="Delete" onSelect={askDelete}>
        {t('deleteSeveral', { count })}
      </MenuItem>
    </>
  )
}

function Items({ conversation, onAsk }: { conversation: AppConversation; onAsk: (what: Asked['what']) => void }) {
  const { id, updated_at } = conversation
  const marks = useListMarks()
  const isPinned = conversation.pinned_at !== null
  const isArchived = conversation.archived_at !== null
  const unread = isUnread(conversation, marks)
  const place = usePlaceInList()
  function archive() {
    place.mutate({ ids: [id], archived: true })
    const act = () => place.mutate({ ids: [id], archived: false })
    notifyDone(t('archivedConversation', { title: titleOf(conversation) }), { label: t('undo'), act })
  }
  return (
    <>
      <OpenInWindow id={id} />
      <MenuItem
        icon={isPinned ? <PinOff size={13} aria-hidden /> : <Pin size={13} aria-hidden />}
        onSelect={() => place.mutate({ ids: [id], pinned: !isPinned })}
      >
        {isPinned ? t('unpin') : t('pin')}
      </MenuItem>
      <MenuItem
        icon={<CircleDot size={13} aria-hidden />}
        onSelect={() => changeMarks(before => seenAt(before, id, unread ? updated_at : ''))}
      >
        {unread ? t('markRead') : t('markUnread')}
      </MenuItem>
      <MenuItem icon={<PencilLine size={13} aria-hidden />} shortcut="F2" onSelect={() => onAsk('rename')}>
        {t('rename')}
      </MenuItem>
      <MenuItem
        icon={isArchived ? <ArchiveRestore size={13} aria-hidden /> : <Archive size={13} aria-hidden />}
        onSelect={() => (isArchived ? place.mutate({ ids: [id], archived: false }) : archive())}
      >
        {isArchived ? t('unarchive') : t('archive')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={13} aria-hidden />} onSelect={() => onAsk('delete')}>
        {t('deleteFromList')}
      </MenuItem>
    </>
  )
}

function RenameConversation({ conversation, onClose }: { conversation: AppConversation; onClose: () => void }) {
  const [title, setTitle] = useState(titleOf(conversation))
  const rename = useCommand(async client => {
    await client.call(updateAppConversation, {
      params: { conversation_id: conversation.id },
      body: { title: title.trim() },
    })
    onClose()
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('renameConversation')}
      submit={t('saveTitle')}
      busy={rename.isPending}
      onSubmit={() => {
        if (title.trim() !== '') rename.mutate()
      }}
    >
      <Field label={t('conversationTitle')}>
        <Input value={title} onValueChange={setTitle} onFocus={event => event.currentTarget.select()} />
      </Field>
    </FormDialog>
  )
}
