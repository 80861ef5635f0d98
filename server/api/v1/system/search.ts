import { z } from 'zod'
import { IN_CONVERSATION } from '../../contract/failures.ts'
import { MAX_SEARCH_CHARACTERS } from '../../contract/limits.ts'
import { dateTime, page, pageQuery } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { SEARCH_KINDS } from '../../search-kinds.ts'

const searchKind = z.enum(SEARCH_KINDS)

export const searchHit = z.object({
  conversation_id: z.string().describe('Conversation in which it stands.'),
  title: z.string().nullable().describe('Title of the conversation; null while it has none.'),
  repository: z.string().nullable().describe('Repository of the conversation, as `owner/name`; null without one.'),
  folder: z.string().nullable().describe('Folder of this computer that the conversation works on; null without one.'),
  kind: searchKind.describe(
    '`title`: title, repository or branch of the conversation. `message`: of a person or the agent. `thought`: reasoning of the model. `command`: call of a tool. `output`: result of a call, or an error. `file`: file that was read. `change`: file that was edited, with the text.',
  ),
  event_id: z.string().nullable().describe('Event that has it; null for a title.'),
  seq: z.int().nullable().describe('Place of the event in the log of its conversation; null for a title.'),
  timestamp: dateTime.describe('When the event was written; for a title, when the conversation last changed.'),
  snippet: z.string().describe('The text around the first match, in one line. It is plain text.'),
  matches: z
    .array(
      z.object({
        start: z.int().describe('First character of the match.'),
        end: z.int().describe('First character after the match.'),
      }),
    )
    .describe('Where the matches are in `snippet`, in UTF-16 code units.'),
})
export type SearchHit = z.output<typeof searchHit>

export const searchIndexState = z.object({
  state: z
    .enum(['ready', 'building', 'failed'])
    .describe('`building`: older events are still being added. `failed`: nothing is added now; `problem` says why.'),
  events_indexed: z.int().describe('Events that are found.'),
  events_total: z.int().describe('Events that there are.'),
  problem: z.string().nullable().describe('Why nothing is added, in words; null when all is well.'),
})

export const searchReply = page(searchHit).extend({
  total: z
    .int()
    .nullable()
    .describe('Hits in the conversation, at most 1,000; null where no `conversation_id` or a later page is asked for.'),
  index: searchIndexState.describe('How far the search index is.'),
})
export type SearchReply = z.output<typeof searchReply>

export const SEARCH_SORT_ORDERS = ['RELEVANCE', 'TIMESTAMP_DESC'] as const

export const searchEverything = route({
  method: 'get',
  path: '/api/v1/search',
  summary: 'Search all conversations',
  description:
    'Finds words in messages, commands, outputs, paths, changes and titles. All words must be there, the last one also as the beginning of a word; "quoted words" must follow each other; -word excludes. Case and accents do not matter, parts of names such as getUserName are found, and no characters are special otherwise. A page may have fewer hits than asked for while `next_page_id` goes on. New events are found within a second.',
  tag: 'Search',
  query: z.object({
    query: z.string().min(1).max(MAX_SEARCH_CHARACTERS).describe('What is looked for.'),
    kind: z.array(searchKind).max(SEARCH_KINDS.length).default([]).describe('Only hits of these kinds; absent is all.'),
    conversation_id: z.string().nullish().describe('Only hits in this conversation, a UUID with or without hyphens.'),
    repository: z.string().max(500).nullish().describe('Only hits in conversations of this repository.'),
    folder: z
      .string()
      .max(4096)
      .nullish()
      .describe('Only hits in conversations that work on this folder of this computer, as `source_folder` has it.'),
    after: dateTime.nullish().describe('Only hits of this time or later.'),
    before: dateTime.nullish().describe('Only hits before this time.'),
    sort_order: z
      .enum(SEARCH_SORT_ORDERS)
      .default('RELEVANCE')
      .describe(
        '`RELEVANCE`: titles first, then by how well it fits, what it is and how new it is, among some hundred of the newest at a time. `TIMESTAMP_DESC`: newest first, without titles.',
      ),
    page_id: pageQuery.shape.page_id,
    limit: z.int().min(1).max(100).default(20).describe('How many hits a page has at most.'),
  }),
  failures: IN_CONVERSATION,
  reply: searchReply,
})
