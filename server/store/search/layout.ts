import { SEARCH_KINDS, type SearchKind } from '../../api/search-kinds.ts'

/**
 * How the index is laid out. The full text stands in parts of so many documents, each a table of its own, and the ids of
 * the documents ascend with time: a search goes from the newest part to the oldest and stops when it has enough, so that
 * common words and beginnings of words cost no more than rare ones. New documents go to the uppermost part, upwards; what
 * was there before the index was made goes to the lowest, downwards.
 */
export const PART_SIZE = 32_768
export const FIRST_PART = 2 ** 20

/** Changed with what is stored, or how: an index of another format is made anew. */
export const FORMAT = '2'

/** The full text has no copy of what it was made of: that is read in the database. Tokens are made by `indexedForm`. */
const FULL_TEXT = "fts5(text, content = '', contentless_delete = 1, tokenize = 'ascii')"

export const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE part (
    number INTEGER PRIMARY KEY,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE repository (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE conversation (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    repository INTEGER NOT NULL,
    heading TEXT NOT NULL,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    last_event TEXT
  ) STRICT;
  CREATE TABLE place (
    conversation INTEGER NOT NULL,
    part INTEGER NOT NULL,
    PRIMARY KEY (conversation, part)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE heading_text USING ${FULL_TEXT};
`

export const tableOf = (part: number): string => `part_${part}`
export const createPart = (part: number): string => `CREATE VIRTUAL TABLE ${tableOf(part)} USING ${FULL_TEXT}`

/** Tokens of an area for private use, which no text has as tokens: the words of a search never meet them. */
export const conversationToken = (number: number): string => `\uE000${number.toString(36)}`
export const kindToken = (kind: SearchKind): string => `\uE001${kindNumber(kind)}`
/** The table `repository` has folders too: what a conversation works on. */
export const placeToken = (number: number): string => `\uE002${number.toString(36)}`

export function kindNumber(kind: SearchKind): number {
  return SEARCH_KINDS.indexOf(kind)
}

export function kindOf(number: number): SearchKind {
  return SEARCH_KINDS[number] ?? 'output'
}

export function indexFile(dataDir: string): string {
  return `${dataDir}/search.db`
}
