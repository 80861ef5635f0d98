import type { Locator } from 'playwright'
import { expect } from 'vitest'

export function isFocused(control: Locator): Promise<boolean> {
  return control.evaluate(element => element === document.activeElement)
}

/** Waits until a control has been given the focus: what is typed before that goes elsewhere. */
export async function hasFocus(control: Locator): Promise<void> {
  await expect.poll(() => isFocused(control)).toBe(true)
}
