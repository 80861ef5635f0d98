import type { SearchKind } from '../../api/search-kinds.ts'
import { type Document, documentsIn } from './documents.ts'
import type { IndexReader, Match } from './index-reader.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from './messages.ts'
import { parseQuery, type Query } from './query.ts'
import { snippetOf } from './snippet.ts'
import { headingOf, type Source, type StoredConversation } from './source.ts'

/** So many of the newest matches are ranked among themselves; a page of them ends where they do. */
const RANKED_TOGETHER = 100
/** Titles that stand before everything else. */
const MAX_TITLES = 5
/** Of titles that are asked for by themselves. */
const MAX_ALL_TITLES = 1000
const HALF_LIFE_DAYS = 30

/** What a person wrote or did counts for more than what came of it. */
const WEIGHTS: Record<SearchKind, number> = {
  title: 4,
  message: 2,
  change: 1.2,
  command: 1.2,
  file: 1,
  output: 0.6,
  thought: 0.5,
}

interface Parts {
  reader: IndexReader
  source: Source
  /** In milliseconds since 1970. */
  now: number
}

/** One page of a search, with what is shown of each hit read from the database. */
export function findPage(parts: Parts, request: SearchRequest): SearchAnswer {
  const query = parseQuery(request.text)
  const { hits, next } = findHits(parts, query, request)
  const total = request.counts ? parts.reader.count(query, request.filter) : null
  return { hits, next, total }
}

function findHits(parts: Parts, query: Query, request: SearchRequest): { hits: SearchHit[]; next: string | null } {
  const { filter, page, limit, sort } = request
  const kinds = filter.kinds.filter(kind => kind !== 'title')
  const asksTitles = filter.kinds.length === 0 || filter.kinds.includes('title')
  if (filter.kinds.length > 0 && kinds.length === 0) return titlePage(parts, query, request)
  const place = placeOf(page)
  const inLogs = { ...filter, kinds }
  const titles = asksTitles && sort === 'relevance' && page === null ? titleHits(parts, query, request, MAX_TITLES) : []
  const size = sort === 'relevance' ? Math.max(RANKED_TOGETHER, limit) : limit
  const { found, next } = parts.reader.matches(query, inLogs, { below: place.below, limit: size })
  const ordered = sort === 'relevance' ? ranked(found, parts.now) : found
  const end = place.offset + limit
  const hits = eventHits(parts.source, query, ordered.slice(place.offset, end))
  // Under the newest of them, so that what comes later does not move the pages.
  const top = Math.min(place.below, (found[0]?.id ?? 0) + 1)
  const following = end < ordered.length ? `${top}.${end}` : next === null ? null : `${next}.0`
  return { hits: [...titles, ...hits].slice(0, Math.max(limit, titles.length)), next: following }
}

/** Anything else is the first page, as everywhere. */
function placeOf(page: string | null): { below: number; offset: number } {
  const [, below, offset] = /^(\d{1,16})\.(\d{1,6})$/.exec(page ?? '') ?? []
  return { below: Number(below ?? Number.MAX_SAFE_INTEGER), offset: Number(offset ?? 0) }
}

function ranked(found: readonly Match[], now: number): Match[] {
  const scoreOf = ({ relevance, kind, at }: Match) => {
    const days = Math.max(0, now / 1000 - at) / 86_400
    return (relevance * WEIGHTS[kind]) / (1 + days / HALF_LIFE_DAYS)
  }
  return [...found].sort((one, other) => scoreOf(other) - scoreOf(one))
}

function eventHits(source: Source, query: Query, found: readonly Match[]): SearchHit[] {
  const conversations = source.conversations([...new Set(found.map(({ conversation }) => conversation))])
  return found.flatMap(({ conversation: id, seq, kind }) => {
    const conversation = conversations.get(id)
    const event = conversation && source.eventAt(id, seq)
    const document = event && documentsIn(event.body).find(one => one.kind === kind)
    if (!conversation || !event || !document) return []
    return [hitOf({ conversation, document, query, event: { id: event.id, seq }, timestamp: event.timestamp })]
  })
}

function titlePage(parts: Parts, query: Query, request: SearchRequest) {
  const [, from = '0'] = /^t(\d{1,6})$/.exec(request.page ?? '') ?? []
  const all = titleHits(parts, query, request, MAX_ALL_TITLES)
  const end = Number(from) + request.limit
  return { hits: all.slice(Number(from), end), next: end < all.length ? `t${end}` : null }
}

function titleHits({ reader, source }: Parts, query: Query, { filter }: SearchRequest, limit: number): SearchHit[] {
  const ids = reader.headings(query, filter, limit)
  const conversations = source.conversations(ids)
  return ids.flatMap(id => {
    const conversation = conversations.get(id)
    const at = Date.parse(conversation?.updatedAt ?? '') / 1000
    if (!conversation || at < (filter.from ?? 0) || at >= (filter.before ?? Number.POSITIVE_INFINITY)) return []
    const document = { kind: 'title' as const, text: headingOf(conversation) }
    return [hitOf({ conversation, document, query, event: null, timestamp: conversation.updatedAt })]
  })
}

function hitOf(found: {
  conversation: StoredConversation
  document: Pick<Document, 'text'> & { kind: SearchKind }
  query: Query
  event: SearchHit['event']
  timestamp: string
}): SearchHit {
  const { conversation, document, query, event, timestamp } = found
  return {
    conversation: conversation.id,
    title: conversation.title,
    repository: conversation.repository,
    folder: conversation.folder,
    kind: document.kind,
    event,
    timestamp,
    ...snippetOf(document.text, query.terms),
  }
}
