import { Menu as Base } from '@base-ui/react/menu'
import { ChevronRight } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from '../Kbd.tsx'

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}

export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className="menu-popup min-w-44">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface MenuItemProps {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  shortcut?: string
  danger?: boolean
  /** Why it cannot be chosen now, shown under its name. */
  disabledReason?: string | null | undefined
}

export function MenuItem({ icon, children, onSelect, shortcut, danger = false, disabledReason }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={Boolean(disabledReason)}
      className={`flex min-h-7 items-center gap-2 rounded-sm px-2 py-0.5 outline-none data-disabled:text-faint data-highlighted:bg-hover ${danger ? 'text-bad' : ''}`}
    >
      {icon}
      <span className="flex-1">
        {children}
        {disabledReason ? <span className="block max-w-56 text-xs">{disabledReason}</span> : null}
      </span>
      {shortcut ? <Kbd keys={shortcut} /> : null}
    </Base.Item>
  )
}

export interface SubMenuProps {
  icon?: ReactNode
  /** Of the item that opens it. */
  label: ReactNode
  children: ReactNode
}

/** A menu beside an item; a long one scrolls. */
export function SubMenu({ icon, label, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="flex min-h-7 items-center gap-2 rounded-sm px-2 py-0.5 outline-none data-highlighted:bg-hover data-popup-open:bg-hover">
        {icon}
        <span className="min-w-0 flex-1">{label}</span>
        <ChevronRight size={13} aria-hidden className="shrink-0 text-faint" />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignOffset={-5} collisionPadding={8} className="z-50">
          <Base.Popup className="menu-popup min-w-44 max-w-72">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  )
}

/** What an item does, under its name. */
export function MenuHint({ children }: { children: ReactNode }) {
  return <span className="block max-w-56 text-faint text-xs">{children}</span>
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
