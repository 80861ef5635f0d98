/** What a stretch of code is, as far as colours tell it. */
export const KINDS = ['comment', 'string', 'number', 'keyword', 'function', 'type', 'name'] as const

/** A stretch of a line, to its end; 0 is plain text, others are 1 more than their place in `KINDS`. */
export type Token = readonly [end: number, kind: number]
