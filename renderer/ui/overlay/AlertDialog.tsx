import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { t } from '../text.ts'

export interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will happen and what cannot be undone. */
  children: ReactNode
  /** The verb of what is confirmed, never "OK". */
  confirm: string
  cancel?: string
  onConfirm: () => void
  busy?: boolean
  /** Why it cannot be confirmed yet. */
  disabledReason?: string | null
}

export function AlertDialog(props: AlertDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    children,
    confirm,
    cancel = t('cancel'),
    onConfirm,
    busy = false,
    disabledReason = null,
  } = props
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="popup fixed top-1/2 left-1/2 z-40 w-100 max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 p-4">
          <Base.Title className="text-lg font-semibold">{title}</Base.Title>
          <Base.Description render={<div />} className="mt-2 text-soft">
            {children}
          </Base.Description>
          <div className="mt-4 flex justify-end gap-2">
            <Base.Close render={<Button>{cancel}</Button>} />
            <Button look="danger" busy={busy} disabledReason={disabledReason} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
