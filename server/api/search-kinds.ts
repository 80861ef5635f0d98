/** What a hit of the search is: the title of a conversation, or a part of what stands in its log. */
export const SEARCH_KINDS = ['title', 'message', 'thought', 'command', 'output', 'file', 'change'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
