import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { type ConsoleMessage, LEVELS, withMessages } from '../../../../state/preview/console.ts'

/** What is used here of Electron's element: https://www.electronjs.org/docs/latest/api/webview-tag. */
interface GuestElement extends HTMLElement {
  getURL(): string
  loadURL(address: string): Promise<void>
  canGoBack(): boolean
  canGoForward(): boolean
  goBack(): void
  goForward(): void
  reload(): void
  stop(): void
  setZoomFactor(factor: number): void
  executeJavaScript(code: string): Promise<unknown>
  getWebContentsId(): number
}

interface LoadFailure extends Event {
  errorCode: number
  errorDescription: string
  validatedURL: string
  isMainFrame: boolean
}

interface Navigation extends Event {
  isMainFrame: boolean
  /** Within the same document. */
  isInPlace: boolean
}

interface Written extends Event {
  level: number
  message: string
  sourceId: string
  line: number
}

/** Why the page does not show. There is no element where it has crashed, or was stopped before it had shown anything. */
type GuestFailure = { kind: 'load'; text: string; url: string } | { kind: 'crash' | 'stopped' }

/** A page of the sandbox, in an element of its own. */
export interface Guest {
  /** For the element. */
  readonly attach: (element: HTMLElement | null) => void
  /** There is a page, which can be asked for something. */
  readonly isShown: boolean
  readonly loading: boolean
  readonly canGoBack: boolean
  readonly canGoForward: boolean
  readonly failure: GuestFailure | null
  readonly messages: readonly ConsoleMessage[]
  readonly clearMessages: () => void
  readonly go: (address: string) => void
  readonly act: (act: 'goBack' | 'goForward' | 'reload' | 'stop') => void
  readonly zoom: (factor: number) => void
  /** What it shows, as a `data:` address. */
  readonly picture: () => Promise<string>
}

interface GuestOptions {
  /** Hears where the page has gone. */
  onUrl: (url: string) => void
  /** Its process is gone, or answers no more: only another element leads to this address. */
  onLost: (address: string) => void
}

export function useGuest({ onUrl, onLost }: GuestOptions): Guest {
  const element = useRef<GuestElement>(null)
  const factor = useRef(1)
  /** Runs out where a page does not let itself be left. */
  const late = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [ready, setReady] = useState(false)
  const [loading, setLoading] = useState(true)
  const [failure, setFailure] = useState<GuestFailure | null>(null)
  const [messages, setMessages] = useState<readonly ConsoleMessage[]>([])
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const heard = useRef(onUrl)
  useEffect(() => {
    heard.current = onUrl
  })

  const attach = useCallback((found: HTMLElement | null) => {
    const guest = found as GuestElement | null
    if (!guest) return
    element.current = guest
    const gathered = gatherMessages(came => setMessages(before => withMessages(before, came)))
    const moved = () => {
      clearTimeout(late.current)
      refresh()
      heard.current(guest.getURL())
    }
    const listeners = {
      'dom-ready': () => {
        guest.setZoomFactor(factor.current)
        setReady(true)
      },
      'did-start-loading': () => setLoading(true),
      'did-stop-loading': () => {
        setLoading(false)
        refresh()
      },
      'did-start-navigation': (event: Navigation) => {
        if (!event.isMainFrame || event.isInPlace) return
        setFailure(null)
        gathered.drop()
        setMessages([])
      },
      'did-navigate': moved,
      'did-navigate-in-page': moved,
      'did-fail-load': (event: LoadFailure) => {
        if (!event.isMainFrame || event.errorCode === ABORTED) return
        clearTimeout(late.current)
        setFailure({ kind: 'load', text: event.errorDescription, url: event.validatedURL })
      },
      'render-process-gone': () => setFailure({ kind: 'crash' }),
      'console-message': ({ level, message, sourceId, line }: Written) =>
        gathered.add({
          level: LEVELS[level] ?? 'info',
          text: message,
          place: sourceId === '' ? '' : `${sourceId}:${line}`,
        }),
    }
    const all = Object.entries(listeners) as [string, EventListener][]
    for (const [name, listener] of all) guest.addEventListener(name, listener)
    return () => {
      clearTimeout(late.current)
      element.current = null
      setReady(false)
      gathered.drop()
      for (const [name, listener] of all) guest.removeEventListener(name, listener)
    }
  }, [])

  /** Before it has shown anything the element has none of its methods. */
  const shown = ready ? element.current : null
  /** A page in an endless loop would hold up also what comes after it. */
  function leave(address: string, act: () => void) {
    clearTimeout(late.current)
    const timer = setTimeout(() => onLost(address), HUNG_MS)
    late.current = timer
    const inTime = () => clearTimeout(timer)
    // While it loads, it is asked only once it has loaded: then where it goes to has to begin in time.
    if (!loading) shown?.executeJavaScript('0').then(inTime, inTime)
    act()
  }
  function go(address: string) {
    if (failure?.kind === 'crash' || !ready) {
      setFailure(null)
      onLost(address)
    }
    // How it ends is heard as an event.
    else leave(address, () => void element.current?.loadURL(address).catch(() => {}))
  }
  function stop() {
    if (shown) return shown.stop()
    setLoading(false)
    setFailure({ kind: 'stopped' })
  }
  return {
    attach,
    isShown: shown !== null,
    loading,
    canGoBack: shown?.canGoBack() ?? false,
    canGoForward: shown?.canGoForward() ?? false,
    failure,
    messages,
    clearMessages: () => setMessages([]),
    go,
    act: act => {
      if (act === 'stop') stop()
      else if (shown) leave(shown.getURL(), () => shown[act]())
    },
    zoom: next => {
      factor.current = next
      shown?.setZoomFactor(next)
    },
    picture: async () => {
      if (!shown || !window.atelier) throw new Error('There is no page.')
      return window.atelier.pictureOfPreview(shown.getWebContentsId())
    },
  }
}

const HUNG_MS = 3_000

/** Of Chromium, for what a person or the page itself has stopped. */
const ABORTED = -3

type Came = Parameters<typeof withMessages>[1][number]

/** A page may write thousands at once: they are shown together, and no more than there is room for. */
function gatherMessages(show: (came: readonly Came[]) => void) {
  let waiting: Came[] = []
  let frame: number | undefined
  const drop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    waiting = []
  }
  return {
    add: (message: Came) => {
      waiting.push(message)
      if (waiting.length > 1_000) waiting = waiting.slice(-500)
      frame ??= requestAnimationFrame(() => {
        const came = waiting
        drop()
        show(came)
      })
    },
    drop,
  }
}
