import { ContextMenu as Base } from '@base-ui/react/context-menu'
import type { ReactElement, ReactNode } from 'react'

interface ContextMenuProps {
  /** What it belongs to. */
  trigger: ReactElement
  children: ReactNode
  /** Items as in `Menu`. */
  items: ReactNode
}

/** What a press of the other button of the mouse, or the key for it, offers. */
export function ContextMenu({ trigger, children, items }: ContextMenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger}>{children}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50">
          <Base.Popup className="menu-popup min-w-44">{items}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
