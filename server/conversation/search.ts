import type { RouteQuery } from '../api/contract/route.ts'
import type { SearchReply, searchEverything } from '../api/v1/system/search.ts'
import type { SearchRequest } from '../store/search/messages.ts'
import type { TextIndex } from '../store/search/text-index.ts'
import type { ConversationService } from './service.ts'

interface Dependencies {
  index: Pick<TextIndex, 'search' | 'progress'>
  conversations: Pick<ConversationService, 'find'>
}

type Asked = RouteQuery<typeof searchEverything>

/** Finds what stands in conversations. */
export class ConversationSearch {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError invalid_id, conversation_not_found, too_many_requests, store_unavailable */
  async search(asked: Asked, signal: AbortSignal): Promise<SearchReply> {
    const { index, conversations } = this.#dependencies
    const conversation = asked.conversation_id ? conversations.find(asked.conversation_id).id : null
    const { hits, next, total } = await index.search(requestOf(asked, conversation), signal)
    return {
      items: hits.map(hit => ({
        conversation_id: hit.conversation,
        title: hit.title,
        repository: hit.repository,
        folder: hit.folder,
        kind: hit.kind,
        event_id: hit.event?.id ?? null,
        seq: hit.event?.seq ?? null,
        timestamp: hit.timestamp,
        snippet: hit.text,
        matches: hit.matches,
      })),
      next_page_id: next,
      total,
      index: this.#state(),
    }
  }

  #state(): SearchReply['index'] {
    const { indexed, total, problem } = this.#dependencies.index.progress() ?? { indexed: 0, total: 0, problem: null }
    const state = problem !== null ? 'failed' : indexed < total ? 'building' : 'ready'
    return { state, events_indexed: indexed, events_total: total, problem }
  }
}

function requestOf(asked: Asked, conversation: string | null): SearchRequest {
  const page = asked.page_id ?? null
  const secondsOf = (time: string | null | undefined) => (time ? Math.floor(Date.parse(time) / 1000) : null)
  return {
    text: asked.query,
    filter: {
      kinds: asked.kind,
      conversation,
      places: [asked.repository, asked.folder].filter(place => typeof place === 'string'),
      from: secondsOf(asked.after),
      before: secondsOf(asked.before),
    },
    sort: asked.sort_order === 'RELEVANCE' ? 'relevance' : 'newest',
    page,
    limit: asked.limit,
    counts: conversation !== null && page === null,
  }
}
