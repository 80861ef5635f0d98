import type { Locator } from 'playwright'
import { expect } from 'vitest'

/** Waits until a control has been given the focus: what is typed before that goes elsewhere. */
export async function hasFocus(control: Locator): Promise<void> {
  await expect.poll(() => control.evaluate(element => element === document.activeElement)).toBe(true)
}
