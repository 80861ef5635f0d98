import type { DragEvent, KeyboardEvent, ReactNode } from 'react'
import { AttachButton } from '../../components/attaching/AttachButton.tsx'
import { Attachments } from '../../components/attaching/Attachments.tsx'
import { UploadChips } from '../../components/attaching/UploadChips.tsx'
import type { Attaching } from '../../components/attaching/use-attaching.ts'
import { Button } from '../../ui/Button.tsx'
import { Textarea } from '../../ui/field/Textarea.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { t } from './text.ts'

export interface LaunchComposerProps {
  text: string
  onTextChange: (text: string) => void
  attaching: Attaching
  /** A folder was dropped; its path. */
  onFolder: (path: string) => void
  onLaunch: () => void
  disabledReason: string | null
  busy: boolean
  /** The chips below the text. */
  children: ReactNode
}

/** One card: what should be done, with what, and the start. */
export function LaunchComposer(props: LaunchComposerProps) {
  const { text, onTextChange, attaching, onFolder, onLaunch, disabledReason, busy, children } = props
  const { attached, change } = attaching.attachments
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onLaunch()
  }
  function drop(event: DragEvent) {
    const folder = droppedFolder(event.dataTransfer)
    if (!folder) return attaching.onDrop(event)
    event.preventDefault()
    const others = [...event.dataTransfer.files].filter(({ name }) => name !== folder.name)
    if (others.length > 0) void attaching.attach(others)
    const path = window.atelier?.pathOf(folder)
    if (path) onFolder(path)
    else attaching.refuse([{ name: folder.name, reason: t('typePathOfFolder') }])
  }
  return (
    <form
      aria-label={t('newConversation')}
      className="rounded-lg border border-edge bg-raised focus-within:border-accent"
      onKeyDown={onKeyDown}
      onPaste={attaching.onPaste}
      onDrop={drop}
      onDragOver={event => event.preventDefault()}
      onSubmit={event => {
        event.preventDefault()
        onLaunch()
      }}
    >
      <Attachments
        attachments={attached.images}
        refusals={attaching.refusals}
        onRemove={gone => change(now => ({ ...now, images: now.images.filter(each => each !== gone) }))}
      />
      <UploadChips uploads={attached.uploads} onRemove={attaching.remove} onAgain={attaching.again} />
      <div className="px-4 pt-3">
        <Textarea
          bare
          autoFocus
          aria-label={t('task')}
          placeholder={t('describeTask')}
          value={text}
          onValueChange={onTextChange}
        />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-2 px-3 pt-1 pb-3">
        <div className="flex min-w-0 flex-1 basis-96 flex-wrap gap-1">{children}</div>
        <div className="ms-auto flex items-center gap-2.5">
          <AttachButton
            label={t('attachFiles')}
            fieldLabel={t('files')}
            onFiles={files => void attaching.attach(files)}
          />
          <Kbd keys="Mod+Enter" />
          <Button type="submit" look="primary" busy={busy} disabledReason={disabledReason}>
            {t('start')}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The first of them: a conversation has one. */
function droppedFolder({ items }: DataTransfer): File | null {
  const folder = [...items].find(item => item.webkitGetAsEntry()?.isDirectory)
  return folder?.getAsFile() ?? null
}
