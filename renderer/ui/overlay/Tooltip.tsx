import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Kbd } from '../Kbd.tsx'

export const TooltipProvider = Base.Provider

export interface TooltipProps {
  text: string
  shortcut?: string | undefined
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactElement
}

/** Words for a control on hover and on focus. The control keeps its own name: a tooltip is never the only label. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} closeOnClick />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="popup flex max-w-72 items-center gap-2 px-2 py-1 text-sm text-ink">
            {text}
            {shortcut ? <Kbd keys={shortcut} /> : null}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
