import { type KeyboardEvent, type MouseEvent, useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  clear: () => void
  /** For the list: with Ctrl or Cmd a click selects one more, with Shift all up to it. */
  onClickCapture: (event: MouseEvent<HTMLElement>) => void
  /** The arrow keys walk through the rows and with Shift select them; Space selects one, Mod+A all, Esc none. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const NONE: ReadonlySet<string> = new Set()
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Rows of a list that something is to be done with at once; each has its id as `data-conversation`.
 * @param listed what is listed: in another one nothing is selected
 */
export function useSelection(listed: string): Selection {
  const [selected, setSelected] = useState({ listed, ids: NONE })
  const ids = selected.listed === listed ? selected.ids : NONE
  const setIds = (next: ReadonlySet<string>) => setSelected({ listed, ids: next })
  /** Where a range begins. */
  const [anchor, setAnchor] = useState<string | null>(null)
  const clear = () => setIds(NONE)

  function toggle(id: string) {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setIds(next)
    setAnchor(id)
  }
  function extend(list: HTMLElement, from: string, to: string) {
    const all = rowsIn(list).map(idOf)
    // Where it began may be out of sight by now.
    const begin = all.includes(from) ? from : to
    const places = [all.indexOf(begin), all.indexOf(to)]
    setIds(new Set(all.slice(Math.min(...places), Math.max(...places) + 1).filter(id => id !== null)))
    setAnchor(begin)
  }
  function onClickCapture(event: MouseEvent<HTMLElement>) {
    const id = idOf(event.target)
    if (id === null) return
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      clear()
      setAnchor(id)
      return
    }
    event.preventDefault()
    event.stopPropagation()
    if (event.shiftKey) extend(event.currentTarget, anchor ?? id, id)
    else toggle(id)
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, target, currentTarget: list } = event
    const id = idOf(target)
    const step = STEPS[key]
    if (step !== undefined) {
      const to = moveFocus(list, step)
      if (event.shiftKey && id !== null && to !== null) extend(list, ids.size > 0 && anchor !== null ? anchor : id, to)
    } else if (key === ' ' && id !== null) toggle(id)
    else if (key === 'a' && (event.ctrlKey || event.metaKey))
      setIds(
        new Set(
          rowsIn(list)
            .map(idOf)
            .filter(each => each !== null),
        ),
      )
    else if (key === 'Escape' && ids.size > 0) clear()
    else return
    event.preventDefault()
  }
  return { ids, clear, onClickCapture, onKeyDown }
}

function rowsIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll('a')]
}

/** Of the conversation whose row that is, or is in; null for any other. */
function idOf(target: EventTarget): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-conversation]') : null
  return row?.dataset.conversation ?? null
}

/** @returns id of the row that has the focus then */
function moveFocus(list: HTMLElement, step: number): string | null {
  const rows = rowsIn(list)
  const from = rows.findIndex(row => row.contains(document.activeElement))
  const row = rows[Math.max(0, Math.min(rows.length - 1, from + step))]
  row?.focus()
  return row ? idOf(row) : null
}
