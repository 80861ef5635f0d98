import { z } from 'zod'
import type { Action } from './actions.ts'
import type { Event } from './events.ts'

export const ANSWER_REVIEW_COMMENT = 'answer_review_comment'

export const MAX_REVIEW_COMMENTS = 100
export const MAX_COMMENT_LENGTH = 5_000
const MAX_LINE_LENGTH = 500

const lineText = z
  .string()
  .max(MAX_LINE_LENGTH)
  .refine(text => !text.includes('\n'), 'a line cannot hold a line feed')

/** A comment on one line of the changes, with what tells where that line is once the file has changed. */
export const reviewComment = z.object({
  path: z.string().min(1).max(4096).describe('Path of the file, as `review/files` lists it.'),
  side: z.enum(['before', 'after']).describe('`after` is the file as it is, `before` as it was at the base.'),
  line: z.int().min(1).max(10_000_000).describe('Number of the line on that side, from 1.'),
  quoted: lineText.describe(`The line itself; of a longer one its first ${MAX_LINE_LENGTH} characters.`),
  above: lineText.nullish().describe('The line before it, cut like it; absent at the beginning of the file.'),
  below: lineText.nullish().describe('The line after it, cut like it; absent at the end of the file.'),
  text: z.string().trim().min(1).max(MAX_COMMENT_LENGTH).describe('What is said about it.'),
})
export type ReviewComment = z.output<typeof reviewComment>

/** A line as a comment quotes it. */
export function quotedLine(text: string): string {
  return text.slice(0, MAX_LINE_LENGTH)
}

export type NumberedComment = ReviewComment & { number: number }

export const commentAnswer = z.object({
  outcome: z
    .enum(['done', 'explained', 'declined', 'question'])
    .describe(
      '`done`: changed as asked; `explained`: nothing had to change; `declined`: not changed as asked, for the reason in the text; `question`: cannot go on without an answer of the author.',
    ),
  text: z.string().trim().min(1).max(10_000).describe('Answer to the author of the comment, in Markdown.'),
})
export type CommentAnswer = z.output<typeof commentAnswer>

/** A comment that was sent, and what the agent answered last. */
export type SentComment = NumberedComment & {
  sent_at: string
  answer: (CommentAnswer & { answered_at: string }) | null
}

const FIRST_LINE = `Please address these comments of my review of your changes. Answer each with ${ANSWER_REVIEW_COMMENT}, by its number.`

/**
 * The message to the agent, which `parseReviewMessage` reads back: no path, line or text can be taken for another part of
 * it. A path is a JSON string, lines stand behind `> ` or two spaces, and in a text a line that could begin a comment
 * gets a backslash in front.
 */
export function reviewMessage(comments: readonly NumberedComment[]): string {
  return [FIRST_LINE, ...comments.map(blockOf)].join('\n\n')
}

function blockOf({ quoted, above, below, text, ...place }: NumberedComment): string {
  const lines = [...(above == null ? [] : [`  ${above}`]), `> ${quoted}`, ...(below == null ? [] : [`  ${below}`])]
  const said = text.trim().split('\n')
  const escaped = said.map(line => (BEGINS_COMMENT.test(line) || ESCAPED.test(line) ? `\\${line}` : line))
  return [`Comment ${place.number} on ${placeWords(place)}:`, ...lines, '', ...escaped].join('\n')
}

/** Where a comment stands, in words for the model. */
export function placeWords({ path, line, side }: Pick<ReviewComment, 'path' | 'line' | 'side'>): string {
  return `${JSON.stringify(path)}, line ${line}${side === 'before' ? ' before the change' : ''}`
}

const HEADER = /^Comment ([1-9]\d{0,14}) on ("(?:[^"\\]|\\.)*"), line (\d{1,8})( before the change)?:$/
const BEGINS_COMMENT = /^Comment \d/
const ESCAPED = /^\\+Comment \d/

/** The comments of a message that `reviewMessage` wrote; empty for any other text. */
export function parseReviewMessage(message: string): NumberedComment[] {
  if (!message.startsWith(`${FIRST_LINE}\n\n`)) return []
  const lines = message.split('\n').slice(2)
  const begins = lines.flatMap((line, index) => (BEGINS_COMMENT.test(line) ? [index] : []))
  const comments: NumberedComment[] = []
  for (const [index, begin] of begins.entries()) {
    const end = begins[index + 1]
    // Between two comments stands an empty line.
    const comment = parseBlock(lines.slice(begin, end === undefined ? undefined : end - 1))
    if (!comment) return []
    comments.push(comment)
  }
  return begins[0] === 0 ? comments : []
}

function parseBlock([header = '', ...lines]: string[]): NumberedComment | null {
  const [, number, path = '', line, before] = HEADER.exec(header) ?? []
  const above = lines[0]?.startsWith('  ') ? lines.shift()?.slice(2) : undefined
  const quoted = lines[0]?.startsWith('> ') ? lines.shift()?.slice(2) : undefined
  const below = lines[0]?.startsWith('  ') ? lines.shift()?.slice(2) : undefined
  if (lines.shift() !== '') return null
  const text = lines.map(each => (ESCAPED.test(each) ? each.slice(1) : each)).join('\n')
  const side = before === undefined ? 'after' : 'before'
  const parsed = reviewComment.safeParse({ path: readJson(path), side, line: Number(line), quoted, above, below, text })
  return parsed.success ? { ...parsed.data, number: Number(number) } : null
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answerCall = commentAnswer.extend({
  comment: z.int().min(1),
  path: z.string().optional(),
  line: z.int().optional(),
})
/** `path` and `line` are those of the comment, where there is one of that number. */
export type AnswerCall = z.output<typeof answerCall>

/** The answer to a comment that a call gives; null for any other call. */
export function answerCallOf({ action, tool_name }: { action: Action | null; tool_name: string }): AnswerCall | null {
  if (tool_name !== ANSWER_REVIEW_COMMENT || action?.kind !== 'MCPToolAction') return null
  return answerCall.safeParse(action.data).data ?? null
}

/** The comments of a message; a number that was there before is a copy of what was said, and none. */
export function commentsIn(event: Event, after: number): NumberedComment[] {
  if (event.kind !== 'MessageEvent' || event.source !== 'user') return []
  const [part, ...others] = event.llm_message.content
  if (part?.type !== 'text' || others.length > 0) return []
  const found = parseReviewMessage(part.text)
  return found.every(({ number }, index) => number > (found[index - 1]?.number ?? after)) ? found : []
}

/** The comments of every review of a branch, each with the last answer that the agent gave to it. */
export function sentComments(branch: readonly Event[]): SentComment[] {
  const byNumber = new Map<number, SentComment>()
  const calls = new Map<string, AnswerCall>()
  let last = 0
  for (const event of branch) {
    for (const comment of commentsIn(event, last)) {
      byNumber.set(comment.number, { ...comment, sent_at: event.timestamp, answer: null })
      last = comment.number
    }
    const call = event.kind === 'ActionEvent' ? answerCallOf(event) : null
    if (call) calls.set(event.id, call)
    if (event.kind !== 'ObservationEvent' || event.observation.is_error) continue
    const answered = calls.get(event.action_id)
    const comment = answered && byNumber.get(answered.comment)
    if (!answered || !comment) continue
    const { outcome, text } = answered
    comment.answer = { outcome, text, answered_at: event.timestamp }
  }
  return [...byNumber.values()]
}
