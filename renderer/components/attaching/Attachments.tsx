import { File, ScrollText, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { nameIn, shownName } from '../../state/files/tree.ts'
import { formatBytes } from '../../state/format.ts'
import type { Attachment, Refusal } from '../../state/launch/attached-files.ts'
import type { Note } from '../../state/launch/composer-attachments.ts'
import { IconButton } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { AttachedChip } from './AttachedChip.tsx'

export interface AttachmentsProps {
  attachments: readonly Attachment[]
  refusals: readonly Refusal[]
  /** Files of the sandbox, by their paths. */
  paths?: readonly string[]
  onRemovePath?: (path: string) => void
  notes?: readonly Note[]
  onRemoveNote?: (note: Note) => void
  onRemove: (attachment: Attachment) => void
}

/** What goes with the message, and why other files do not. */
export function Attachments(props: AttachmentsProps) {
  const { attachments, refusals, paths = [], notes = [], onRemove, onRemovePath, onRemoveNote } = props
  return (
    <>
      {attachments.length + paths.length + notes.length > 0 && (
        <ul className="flex flex-wrap gap-2 px-3 pt-2">
          {attachments.map(attachment => (
            <AttachedChip
              key={attachment.dataUrl}
              className="flex items-center gap-2 rounded-sm border border-line pe-1"
            >
              <img src={attachment.dataUrl} alt="" className="size-8 rounded-s-sm object-cover" />
              <span className="max-w-40 truncate text-sm">{attachment.name}</span>
              <span className="text-faint text-sm">{formatBytes(attachment.bytes)}</span>
              <IconButton
                size="small"
                label={t('removeName', { name: attachment.name })}
                icon={<X size={12} aria-hidden />}
                onClick={() => onRemove(attachment)}
              />
            </AttachedChip>
          ))}
          {paths.map(path => (
            <TextAttachment
              key={path}
              icon={<File size={13} aria-hidden className="shrink-0 text-faint" />}
              name={shownName(nameIn(path))}
              title={shownName(path)}
              onRemove={() => onRemovePath?.(path)}
            />
          ))}
          {notes.map(note => (
            <TextAttachment
              key={note.id}
              icon={<ScrollText size={13} aria-hidden className="shrink-0 text-faint" />}
              name={note.name}
              title={note.text}
              onRemove={() => onRemoveNote?.(note)}
            />
          ))}
        </ul>
      )}
      {refusals.length > 0 && (
        <div role="alert" className="px-3 pt-2 text-bad text-sm">
          {refusals.map(({ name, reason }) => (
            <p key={name}>{name ? t('notAdded', { name, reason }) : t('fileNotAdded', { reason })}</p>
          ))}
        </div>
      )}
    </>
  )
}

interface TextAttachmentProps {
  icon: ReactNode
  name: string
  /** All of it. */
  title: string
  onRemove: () => void
}

function TextAttachment({ icon, name, title, onRemove }: TextAttachmentProps) {
  return (
    <AttachedChip className="flex h-8 items-center gap-2 rounded-sm border border-line ps-2 pe-1">
      {icon}
      <span title={title} className="max-w-60 truncate font-mono text-sm">
        {name}
      </span>
      <IconButton
        size="small"
        label={t('removeName', { name })}
        icon={<X size={12} aria-hidden />}
        onClick={onRemove}
      />
    </AttachedChip>
  )
}
