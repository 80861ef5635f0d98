import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from '../Kbd.tsx'

/** One for the whole window: a popup for each of its many buttons would cost more than the buttons. */
const popup = Base.createHandle<TooltipWords>()

interface TooltipWords {
  text: string
  shortcut: string | undefined
  side: 'top' | 'bottom' | 'left' | 'right'
}

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={400}>
      {children}
      <Base.Root handle={popup} onOpenChange={shareEscape}>
        {({ payload }) => payload && <Popup {...payload} />}
      </Base.Root>
    </Base.Provider>
  )
}

/** What it stands over closes with it: nobody asked for the words, so they take no key. */
function shareEscape(_open: boolean, details: Base.Root.ChangeEventDetails): void {
  if (details.reason === 'escape-key') details.allowPropagation()
}

function Popup({ text, shortcut, side }: TooltipWords) {
  return (
    <Base.Portal>
      <Base.Positioner side={side} sideOffset={6} className="z-50">
        <Base.Popup className="popup flex max-w-72 items-center gap-2 px-2 py-1 text-sm text-ink">
          {text}
          {shortcut ? <Kbd keys={shortcut} /> : null}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

export interface TooltipProps {
  text: string
  shortcut?: string | undefined
  side?: TooltipWords['side']
  children: ReactElement
}

/** Words for a control on hover and on focus. The control keeps its own name: a tooltip is never the only label. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return <Base.Trigger handle={popup} payload={{ text, shortcut, side }} render={children} closeOnClick />
}
