import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { AttachButton } from '../../components/AttachButton.tsx'
import { Attachments } from '../../components/Attachments.tsx'
import { type Attachment, type Refusal, readImages } from '../../state/launch/attached-files.ts'
import { Button } from '../../ui/Button.tsx'
import { Textarea } from '../../ui/field/Textarea.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { t } from './text.ts'

export interface LaunchComposerProps {
  text: string
  onTextChange: (text: string) => void
  attachments: readonly Attachment[]
  onRemove: (attachment: Attachment) => void
  /** Adds to those that there are then. @returns the ones that are too many */
  onAttach: (attachments: readonly Attachment[]) => readonly Refusal[]
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
  const { text, onTextChange, attachments, onRemove, onAttach, onFolder, onLaunch, disabledReason, busy, children } =
    props
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  async function attach(files: Iterable<File>) {
    const { images, refused } = await readImages([...files])
    setRefusals([...refused, ...onAttach(images)])
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onLaunch()
  }
  function take(event: ClipboardEvent | DragEvent, files: FileList) {
    if (files.length === 0) return
    event.preventDefault()
    void attach(files)
  }
  function drop(event: DragEvent) {
    const folder = droppedFolder(event.dataTransfer)
    if (!folder) return take(event, event.dataTransfer.files)
    event.preventDefault()
    const path = window.atelier?.pathOf(folder)
    if (path) onFolder(path)
    else setRefusals([{ name: folder.name, reason: t('typePathOfFolder') }])
  }
  return (
    <form
      aria-label={t('newConversation')}
      className="rounded-lg border border-edge bg-raised focus-within:border-accent"
      onKeyDown={onKeyDown}
      onPaste={event => take(event, event.clipboardData.files)}
      onDrop={drop}
      onDragOver={event => event.preventDefault()}
      onSubmit={event => {
        event.preventDefault()
        onLaunch()
      }}
    >
      <Attachments attachments={attachments} refusals={refusals} onRemove={onRemove} />
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
            label={t('attachPictures')}
            fieldLabel={t('pictures')}
            accept="image/png,image/jpeg,image/gif,image/webp"
            onFiles={files => void attach(files)}
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
