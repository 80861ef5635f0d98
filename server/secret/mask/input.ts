/** What clients show in place of a stored value and send back unchanged. */
const MASK = /^\*+$/

/** A value that was not entered: nothing, blanks, or the mask. */
export function isUnchanged(value: string | null | undefined): boolean {
  return value === null || value === undefined || value.trim() === '' || MASK.test(value)
}

export function isMasked(value: string): boolean {
  return MASK.test(value)
}
