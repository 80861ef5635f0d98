import { MAX_SEARCH_CHARACTERS } from '../../api/contract/limits.ts'
import { type Bound, KIB, MIB } from './bound.ts'

/** On what the search index holds, and on what one search may take. */
export const SEARCH_BOUNDS = {
  searchQuery: {
    limit: MAX_SEARCH_CHARACTERS,
    unit: 'characters',
    of: 'words of a search',
    beyond: 'The request is refused with 422.',
  },
  searchTerms: {
    limit: 16,
    unit: 'items',
    of: 'words and quoted phrases of a search',
    beyond: 'The rest is ignored.',
  },
  searchPageTime: {
    limit: 40,
    unit: 'milliseconds',
    of: 'time in which hits are collected for one page',
    beyond: 'The page has fewer hits than were asked for, and `next_page_id` goes on.',
  },
  searchWait: {
    limit: 10_000,
    unit: 'milliseconds',
    of: 'time until a search is answered',
    beyond: 'It is given up, and fails with 503.',
  },
  searchesWaiting: {
    limit: 32,
    unit: 'items',
    of: 'searches that wait for others',
    beyond: 'The next one is refused with 429.',
  },
  searchTotal: {
    limit: 1000,
    unit: 'items',
    of: 'hits in one conversation that are counted',
    beyond: 'The total stays at the bound.',
  },
  searchedText: {
    limit: 16 * KIB,
    unit: 'characters',
    of: 'message, command or change in the search index',
    beyond: 'Its middle is not found.',
  },
  searchedOutput: {
    limit: 4 * KIB,
    unit: 'characters',
    of: 'output or thought in the search index',
    beyond: 'Its middle is not found.',
  },
  searchMemory: {
    limit: 256 * MIB,
    unit: 'bytes',
    of: 'memory of each of the two threads that index and search',
    beyond: 'The thread is started anew.',
  },
} as const satisfies Record<string, Bound>
