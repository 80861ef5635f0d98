import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  trigger: ReactElement
  title: string
  children: ReactNode
  /** For texts rather than a few fields. */
  wide?: boolean
  /** For a popover that its content closes; otherwise it keeps its state itself. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A few controls beside the button that opens them. */
export function Popover({ trigger, title, children, wide = false, ...state }: PopoverProps) {
  return (
    <Base.Root {...state}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={6} className="z-40">
          <Base.Popup
            className={`popup flex max-h-(--available-height) max-w-[calc(100vw-32px)] flex-col gap-3 overflow-y-auto p-3 ${wide ? 'w-110' : 'w-80'}`}
          >
            <Base.Title className="sr-only">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
