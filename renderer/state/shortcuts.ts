import { useEffect, useEffectEvent } from 'react'

/** `Mod+k`: Mod is Command on a Mac and Ctrl elsewhere. */
export type Shortcuts = Readonly<Record<string, () => void>>

/** Keys of the whole window. The listener belongs to the window, which React knows nothing of: hence the effect. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = shortcuts[shortcutOf(event)]
    if (!act || event.defaultPrevented || event.isComposing || isTyped(event)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** A character that goes into a text field. */
function isTyped({ key, target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (key.length !== 1 || metaKey || ctrlKey || altKey) return false
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}

export function shortcutOf(event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): string {
  const parts = [
    event.metaKey || event.ctrlKey ? 'Mod' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    event.key.length === 1 ? event.key.toLowerCase() : event.key,
  ]
  return parts.filter(Boolean).join('+')
}
