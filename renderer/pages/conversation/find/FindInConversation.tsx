import { useRef, useState } from 'react'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { clearHighlight } from '../timeline/highlight.ts'
import { FindBar } from './FindBar.tsx'
import { LoadingBack } from './LoadingBack.tsx'

/** The bar over the timeline, while it is open. A second press of its keys begins anew, with what is marked then. */
export function FindInConversation() {
  const [opened, setOpened] = useState(0)
  const count = useRef(0)
  const before = useRef<Element | null>(null)
  useShortcuts({
    'Mod+f': () => {
      if (opened === 0) before.current = document.activeElement
      count.current += 1
      setOpened(count.current)
    },
  })
  function close() {
    setOpened(0)
    clearHighlight()
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  return (
    <>
      <LoadingBack />
      {opened > 0 ? <FindBar key={opened} onClose={close} /> : null}
    </>
  )
}
