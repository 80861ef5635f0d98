import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { t } from '../text.ts'

/** Chooses files of this computer to go with the message. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('attachedFiles')}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton
        label={t('attachFiles')}
        icon={<Paperclip size={14} aria-hidden />}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
