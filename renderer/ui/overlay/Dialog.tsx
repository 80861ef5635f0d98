import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from '../Button.tsx'
import { t } from '../text.ts'

const BACKDROP =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'

const FIELD = 'input:not([type=hidden], [aria-hidden=true]), textarea'

export interface DialogProps {
  open: boolean
  /** undefined while it cannot be closed. */
  onOpenChange: ((open: boolean) => void) | undefined
  title: string
  description?: ReactNode
  children: ReactNode
  /** The buttons, at the end of the last line. */
  footer?: ReactNode
}

/** Begins in its first field, and never on the button that closes it, whose tooltip would cover the title. */
export function Dialog({ open, onOpenChange, title, description, children, footer }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange ?? stayOpen}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIELD) ?? popup.current}
          className="popup fixed top-1/2 left-1/2 z-40 flex max-h-[85vh] w-110 max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col"
        >
          <div className="flex items-start justify-between gap-4 p-4 pb-2">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {onOpenChange && (
              <Base.Close render={<IconButton label={t('close')} size="small" icon={<X size={14} aria-hidden />} />} />
            )}
          </div>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-4 pb-4">
            {description ? <Base.Description className="text-soft">{description}</Base.Description> : null}
            {children}
          </div>
          {footer ? <div className="flex justify-end gap-2 border-t border-line px-4 py-3">{footer}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function stayOpen(): void {}

/** A panel that comes in from the side, where the window is narrow. */
export function Sheet({ open, onOpenChange, title, side, children }: SheetProps) {
  const place =
    side === 'start'
      ? 'start-0 border-e ltr:data-starting-style:-translate-x-4 rtl:data-starting-style:translate-x-4'
      : 'end-0 border-s ltr:data-starting-style:translate-x-4 rtl:data-starting-style:-translate-x-4'
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          className={`fixed inset-y-0 z-40 flex max-w-[calc(100vw-48px)] flex-col border-line bg-canvas shadow-float outline-none transition-[translate,opacity] duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 ${place}`}
        >
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
          <Base.Close className="sr-only">{t('close')}</Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  side: 'start' | 'end'
  children: ReactNode
}
