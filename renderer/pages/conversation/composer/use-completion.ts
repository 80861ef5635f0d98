import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { completed, completionAt } from '../../../state/completion/completion.ts'
import { type Offer, useOffers } from './use-offers.ts'

interface CompletionOptions {
  field: RefObject<HTMLTextAreaElement | null>
  draft: string
  setDraft: (draft: string) => void
}

/**
 * Completes files and commands in the message that is being written, with the keys of a combobox:
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
 */
export function useCompletion({ field, draft, setDraft }: CompletionOptions) {
  /** 0 where nothing can be completed, so that a key of a plain text does not render the composer a second time. */
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  /** Where one was closed with Esc; it stays closed until something else is written. */
  const [closed, setClosed] = useState<number | null>(null)
  const moveTo = useRef<number>(null)
  const found = completionAt(draft, caret)
  const completion = found && found.start !== closed ? found : null
  const offers = useOffers(completion)
  const chosen = Math.min(active, (offers?.length ?? 0) - 1)
  const open = completion !== null && offers !== null && offers.length > 0

  useLayoutEffect(() => {
    if (moveTo.current === null) return
    field.current?.setSelectionRange(moveTo.current, moveTo.current)
    moveTo.current = null
  })

  function onSelect() {
    const next = field.current?.selectionStart ?? 0
    const completable = completionAt(field.current?.value ?? '', next)
    setCaret(completable ? next : 0)
    setActive(0)
    if (completable?.start !== closed) setClosed(null)
  }
  function take({ take: way }: Offer) {
    if (!completion) return
    if ('act' in way) {
      setDraft('')
      way.act()
    } else {
      const next = completed(draft, completion, caret, way.word)
      moveTo.current = next.caret
      setDraft(next.text)
      setCaret(next.caret)
      setActive(0)
    }
    field.current?.focus()
  }
  /** @returns whether the key was for the list */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!open || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return false
    if (event.shiftKey || !isOfList(event.key)) return false
    event.preventDefault()
    event.stopPropagation()
    const offer = offers[chosen]
    if (event.key === 'ArrowDown') setActive((chosen + 1) % offers.length)
    else if (event.key === 'ArrowUp') setActive((chosen + offers.length - 1) % offers.length)
    else if (event.key === 'Escape') setClosed(completion.start)
    else if (offer) take(offer)
    return true
  }
  return { completion, offers, open, chosen, take, onSelect, onKeyDown }
}

function isOfList(key: string): boolean {
  return ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'].includes(key)
}
