/** Per key, or per address without one: far above what the app's own window does, below what a runaway script does. */
export const RATE_LIMIT = { perSecond: 300, burst: 1000 } as const

/** On one port, whatever they are for. */
export const MAX_SOCKETS = 1000

/** Of one text in a message to the agent; models read a fraction of it. */
export const MAX_MESSAGE_CHARACTERS = 1_000_000

/** Of what one search looks for. */
export const MAX_SEARCH_CHARACTERS = 500

/** Of the files of one form together. */
export const MAX_UPLOAD_BYTES = 100_000_000

/** Files that go with one message. */
export const MAX_ATTACHED = 100
