import { useState } from 'react'
import { usePreference } from '../../../../state/settings/preference.ts'

/** A page of the sandbox, shown in the panel. */
export interface Preview {
  /** '' while none is. */
  readonly address: string
  /** How many times one was asked for: the same one is loaded again. */
  readonly asked: number
  /** Where the page has gone by itself. */
  readonly moved: (address: string) => void
  /** Shows another one, and the panel with it; null in a browser, in which a page of the sandbox is a tab of its own. */
  readonly show: ((address: string) => void) | null
  readonly close: () => void
  /** Ports that began to be listened at while nobody saw the tab. */
  readonly marked: readonly number[]
  readonly mark: (ports: readonly number[]) => void
  readonly unmark: () => void
}

/** @param reveal brings the panel with its tab in sight */
export function usePreview(conversation: string, reveal: () => void): Preview {
  const [address, setAddress] = usePreference(`preview.${conversation}`, '', sessionStorage)
  const [asked, setAsked] = useState(0)
  const [marked, setMarked] = useState<readonly number[]>([])
  const show = (next: string) => {
    setAddress(next)
    setAsked(asked + 1)
    reveal()
  }
  return {
    address,
    asked,
    moved: setAddress,
    show: window.atelier ? show : null,
    close: () => setAddress(''),
    marked,
    mark: ports => setMarked(before => (ports.length === 0 ? before : [...before, ...ports])),
    unmark: () => setMarked(before => (before.length === 0 ? before : [])),
  }
}
