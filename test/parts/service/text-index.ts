import { join } from 'node:path'
import type { SearchAnswer, SearchRequest } from '../../../server/store/search/messages.ts'
import { TextIndex } from '../../../server/store/search/text-index.ts'

/** An index of a folder's database that begins at once. */
export function openIndex(folder: string, warnings: string[] = []): TextIndex {
  const warn = (fields: object) => warnings.push(JSON.stringify(fields))
  const log = { info: () => {}, warn }
  const index = new TextIndex({ file: join(folder, 'atelier.db'), instanceId: 'instance', log, startMs: 0 })
  index.start()
  return index
}

export function aRequest(text: string, fields: Partial<SearchRequest & SearchRequest['filter']> = {}): SearchRequest {
  const { kinds = [], conversation = null, places = [], from = null, before = null, ...rest } = fields
  const filter = { kinds, conversation, places, from, before }
  return { text, filter, sort: 'relevance', page: null, limit: 20, counts: false, ...rest }
}

export function search(index: TextIndex, ...request: Parameters<typeof aRequest>): Promise<SearchAnswer> {
  return index.search(aRequest(...request), new AbortController().signal)
}
