import { ContextMenu as Base } from '@base-ui/react/context-menu'
import type { ReactElement, ReactNode } from 'react'

interface ContextMenuProps {
  /** What it belongs to. */
  trigger: ReactElement
  children: ReactNode
  /** Items as in `Menu`. */
  items: ReactNode
  /** Hears what was pressed on before it opens. @returns whether there is something to offer for it; absent: always */
  onChoose?: (target: Element) => boolean
}

/** The desktop has menus of its own for these, with cut, copy and paste, or the address of the link. */
const OF_DESKTOP = 'input, textarea, [contenteditable=true], a[href^=http]'

/** What a press of the other button of the mouse, or the key for it, offers. */
export function ContextMenu({ trigger, children, items, onChoose }: ContextMenuProps) {
  return (
    <Base.Root>
      <Base.Trigger
        render={trigger}
        onContextMenu={event => {
          const target = event.target as Element
          const isOurs = target.closest(OF_DESKTOP) === null && (onChoose?.(target) ?? true)
          if (isOurs) return
          event.preventBaseUIHandler()
          // The library listens on the document too, and would keep the desktop from showing its own.
          event.stopPropagation()
        }}
      >
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50">
          <Base.Popup className="menu-popup min-w-44">{items}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
