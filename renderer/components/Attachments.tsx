import { File, X } from 'lucide-react'
import { nameIn, shownName } from '../state/files/tree.ts'
import { formatBytes } from '../state/format.ts'
import type { Attachment, Refusal } from '../state/launch/attached-files.ts'
import { IconButton } from '../ui/Button.tsx'
import { t } from './text.ts'

export interface AttachmentsProps {
  attachments: readonly Attachment[]
  refusals: readonly Refusal[]
  /** Files of the sandbox, by their paths. */
  paths?: readonly string[]
  onRemovePath?: (path: string) => void
  onRemove: (attachment: Attachment) => void
}

/** The pictures that go with the message, and why others do not. */
export function Attachments({ attachments, refusals, paths = [], onRemove, onRemovePath }: AttachmentsProps) {
  return (
    <>
      {attachments.length + paths.length > 0 && (
        <ul className="flex flex-wrap gap-2 px-3 pt-2">
          {attachments.map(attachment => (
            <li key={attachment.dataUrl} className="flex items-center gap-2 rounded-sm border border-line pe-1">
              <img src={attachment.dataUrl} alt="" className="size-8 rounded-s-sm object-cover" />
              <span className="max-w-40 truncate text-sm">{attachment.name}</span>
              <span className="text-faint text-sm">{formatBytes(attachment.bytes)}</span>
              <IconButton
                size="small"
                label={t('removeName', { name: attachment.name })}
                icon={<X size={12} aria-hidden />}
                onClick={() => onRemove(attachment)}
              />
            </li>
          ))}
          {paths.map(path => (
            <li key={path} className="flex h-8 items-center gap-2 rounded-sm border border-line pe-1 ps-2">
              <File size={13} aria-hidden className="shrink-0 text-faint" />
              <span title={shownName(path)} className="max-w-60 truncate font-mono text-sm">
                {shownName(nameIn(path))}
              </span>
              <IconButton
                size="small"
                label={t('removeName', { name: shownName(nameIn(path)) })}
                icon={<X size={12} aria-hidden />}
                onClick={() => onRemovePath?.(path)}
              />
            </li>
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
