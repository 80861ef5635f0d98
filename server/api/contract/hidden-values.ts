/** What stands in replies in the place of a value that is set but never shown. */
export const KEY_MASK = '**********'

/** What stands in texts in the place of a secret. */
export const HIDDEN = '<secret-hidden>'
