import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/Button.tsx'

interface AttachButtonProps {
  label: string
  /** Of the field behind it. */
  fieldLabel: string
  /** Media types, as the field takes them; absent: files of any kind. */
  accept?: string
  onFiles: (files: readonly File[]) => void
}

/** Chooses files of this computer to go with a message. */
export function AttachButton({ label, fieldLabel, accept, onFiles }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={fieldLabel}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton label={label} icon={<Paperclip size={14} aria-hidden />} onClick={() => input.current?.click()} />
    </>
  )
}
