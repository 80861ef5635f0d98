import { useState } from 'react'
import { useMedia } from '../../state/media.ts'
import { usePreference } from '../../state/settings/preference.ts'

/** Below this the panel would leave the conversation too little room, so it comes as a sheet. */
const WIDE = '(min-width: 1100px)'

export interface Panel {
  readonly open: boolean
  readonly asSheet: boolean
  toggle(): void
  show(): void
}

/** Whether the panel shows. Beside the conversation that is kept; a sheet is opened each time. */
export function usePanel(): Panel {
  const wide = useMedia(WIDE)
  const [fold, setFold] = usePreference('conversation.panel', 'open')
  const [sheetOpen, setSheetOpen] = useState(false)
  const open = wide ? fold === 'open' : sheetOpen
  return {
    open,
    asSheet: !wide,
    toggle: () => (wide ? setFold(open ? 'folded' : 'open') : setSheetOpen(!open)),
    show: () => (wide ? setFold('open') : setSheetOpen(true)),
  }
}
