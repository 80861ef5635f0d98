import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { IconButton } from '../Button.tsx'
import { t } from '../text.ts'

interface FullDialogProps {
  title: string
  onClose: () => void
  /** Beside the title. */
  toolbar: ReactNode
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

/** One that takes the whole window. Its keys work from the start, so it begins on itself. */
export function FullDialog({ title, onClose, toolbar, onKeyDown, children }: FullDialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open onOpenChange={open => !open && onClose()}>
      <Base.Portal>
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-30 flex flex-col bg-canvas outline-none"
        >
          <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-1.5">
            <Base.Title className="font-semibold text-lg">{title}</Base.Title>
            {toolbar}
            <span className="flex-1" />
            <Base.Close render={<IconButton label={t('close')} size="small" icon={<X size={14} aria-hidden />} />} />
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
