/** So near to its end a list counts as being there. */
export const AT_BOTTOM_PX = 48

export interface Scroll {
  top: number
  /** Pixels of the list below what is in sight. */
  below: number
  byPerson: boolean
}

/**
 * Whether the end is followed after the list was scrolled from `before`: a person leaves it upwards and comes back to it. A list that
 * has become shorter moves upwards too, and is at its end then.
 */
export function staysFollowing(following: boolean, before: number, { top, below, byPerson }: Scroll): boolean {
  if (byPerson && top < before && below >= 1) return false
  return following || below <= AT_BOTTOM_PX
}
