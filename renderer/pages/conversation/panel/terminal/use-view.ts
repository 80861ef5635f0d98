import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../../../api/session.ts'
import { onColours } from '../../../../state/settings/appearance.ts'
import {
  TerminalConnection,
  type TerminalConnectionState,
  type TerminalNews,
} from '../../../../state/terminal/connection.ts'
import { lookOf } from './look.ts'
import { type TerminalLinks, TerminalView } from './xterm.ts'

/** A drag of the panel's edge is one change. */
const RESIZE_MS = 80

export interface ViewOptions extends TerminalLinks {
  /** Of its socket. */
  path: string
  keepsWidth: boolean
  fontSize: number
  screenReaderMode: boolean
  canType: boolean
  onState: (state: TerminalConnectionState) => void
  onNews?: ((news: TerminalNews) => void) | undefined
  /** Through which the shell of an agent is given commands, as long as it is shown. */
  connection?: RefObject<TerminalConnection | null> | undefined
}

/** The terminal in an element, connected as long as it is there. xterm.js knows nothing of React: hence the effects. */
export function useView(place: RefObject<HTMLDivElement | null>, options: ViewOptions): TerminalView | null {
  const { path, keepsWidth, fontSize, screenReaderMode, canType } = options
  const { url, key } = useSession()
  const [view, setView] = useState<TerminalView | null>(null)
  const tell = useEffectEvent((state: TerminalConnectionState) => options.onState(state))
  const news = useEffectEvent((frame: TerminalNews) => options.onNews?.(frame))
  const hand = useEffectEvent((connection: TerminalConnection | null) => {
    if (options.connection) options.connection.current = connection
  })
  const hover = useEffectEvent((address: string | null) => options.onHover(address))
  const followLink = useEffectEvent((address: string) => options.onFollow(address))
  const firstLook = useEffectEvent((element: HTMLElement) => ({ ...lookOf(element), fontSize, screenReaderMode }))
  useEffect(() => {
    const element = place.current
    if (!element) return
    const links: TerminalLinks = { onHover: address => hover(address), onFollow: address => followLink(address) }
    const made = new TerminalView(firstLook(element), links, keepsWidth)
    made.open(element)
    const connection = new TerminalConnection(
      { url, key, path },
      {
        onScreen: (size, bytes) => made.beginAnew(size, bytes),
        onBytes: (bytes, shown) => made.write(bytes, shown),
        onFrame: frame => {
          if (frame.type === 'size') made.terminal.resize(frame.cols, frame.rows)
          news(frame)
        },
        onState: state => tell(state),
      },
    )
    made.connect(connection)
    hand(connection)
    connection.open()
    setView(made)
    return () => {
      hand(null)
      connection.close()
      made.dispose()
      setView(null)
    }
  }, [place, url, key, path, keepsWidth])
  useEffect(() => (view ? follow(view, place.current) : undefined), [view, place])
  useEffect(() => {
    if (!view) return
    Object.assign(view.terminal.options, { fontSize, screenReaderMode })
    view.fit()
  }, [view, fontSize, screenReaderMode])
  useEffect(() => {
    if (!view) return
    view.terminal.options.disableStdin = !canType
    if (canType) view.terminal.focus()
  }, [view, canType])
  return view
}

/** Keeps to the size of the element and to the colours of the window. */
function follow(view: TerminalView, element: HTMLDivElement | null): (() => void) | undefined {
  if (!element) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const fitSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => view.fit(), RESIZE_MS)
  }
  const observer = new ResizeObserver(fitSoon)
  observer.observe(element)
  const recolour = () => {
    view.terminal.options.theme = lookOf(element).theme
  }
  const endColours = onColours(recolour)
  element.addEventListener('focusin', fitSoon)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    endColours()
    element.removeEventListener('focusin', fitSoon)
  }
}
