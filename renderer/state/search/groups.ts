import type { SearchHit } from '../../../server/api/v1/system/search.ts'

export interface HitGroup {
  conversation: Pick<SearchHit, 'conversation_id' | 'title' | 'repository' | 'folder'>
  hits: SearchHit[]
}

/** By conversation, in the order in which each comes first; what comes twice is shown once. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  const seen = new Set<string>()
  for (const hit of hits) {
    const name = `${hit.conversation_id} ${hit.event_id} ${hit.kind}`
    if (seen.has(name)) continue
    seen.add(name)
    const group = groups.get(hit.conversation_id)
    if (group) group.hits.push(hit)
    else groups.set(hit.conversation_id, { conversation: hit, hits: [hit] })
  }
  return [...groups.values()]
}

/** Where a hit stands, for the address of its conversation; nothing for a title. */
export function placeOfHit({ seq, kind, snippet, matches }: SearchHit) {
  if (seq === null) return {}
  const words = [...new Set(matches.map(({ start, end }) => snippet.slice(start, end)))].slice(0, MAX_WORDS)
  return { seq, kind, words }
}

const MAX_WORDS = 8
