import type { SearchKind } from '../../api/search-kinds.ts'
import type { IndexFilter } from './index-reader.ts'
import type { Snippet } from './snippet.ts'

/** What both threads of the search are started with. */
export interface ThreadData {
  /** Of SQLite's library. */
  sqlite: string
  /** Of the database. */
  database: string
  /** Of the index. */
  index: string
  instanceId: string
}

export type ToIndexer =
  | { kind: 'changed'; conversations: string[] }
  /** The index was found to be damaged. */
  | { kind: 'rebuild' }
  | { kind: 'close' }

/** How far the index is. `problem` is why it does not get on. */
export interface IndexProgress {
  indexed: number
  total: number
  problem: string | null
}

/** What the thread that indexes reports: how far it is, or that it has closed everything. */
export type FromIndexer = { kind: 'progress'; progress: IndexProgress } | { kind: 'closed' }

export interface SearchRequest {
  text: string
  filter: IndexFilter
  sort: 'relevance' | 'newest'
  page: string | null
  limit: number
  /** Whether all hits are counted: in one conversation alone. */
  counts: boolean
}

export interface SearchHit extends Snippet {
  conversation: string
  title: string | null
  repository: string | null
  folder: string | null
  kind: SearchKind
  /** null for a title. */
  event: { id: string; seq: number } | null
  timestamp: string
}

export interface SearchAnswer {
  hits: SearchHit[]
  next: string | null
  total: number | null
}

export type ToReader = { kind: 'search'; request: SearchRequest } | { kind: 'close' }

/** `damaged`: the index is to be made anew. */
export type FromReader =
  | { kind: 'answer'; answer: SearchAnswer }
  | { kind: 'failure'; problem: string; damaged: boolean }
  | { kind: 'closed' }
