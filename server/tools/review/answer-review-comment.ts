import { z } from 'zod'
import type { mcpToolAction } from '../../api/event/actions.ts'
import {
  ANSWER_REVIEW_COMMENT,
  answerCallOf,
  commentAnswer,
  placeWords,
  type SentComment,
  sentComments,
} from '../../api/event/review-comments.ts'
import { type Tool, type ToolHost, text } from '../tool.ts'

type McpToolAction = z.output<typeof mcpToolAction>

const parameters = z.object({
  comment: z.int().min(1).describe('Number of the comment, as the message with the review states it.'),
  ...commentAnswer.shape,
})

/** Called as other programs know calls of tools that are not the agent's own, so that each of them shows the answer. */
export function createAnswerReviewComment({
  reviewComments,
  events,
}: Pick<ToolHost, 'events'> & { reviewComments: NonNullable<ToolHost['reviewComments']> }): Tool<McpToolAction> {
  return {
    name: ANSWER_REVIEW_COMMENT,
    description: `Answer one comment of the user's review. The answer is shown at the line of the comment, so it says only what concerns this comment: what you changed, or why not. Answer each comment once, after you have dealt with it; an answer to a comment that has one takes its place.`,
    parameters,
    readOnly: true,
    toAction: given => {
      const answer = parameters.parse(given)
      const about = reviewComments().find(({ number }) => number === answer.comment)
      return { kind: 'MCPToolAction', data: { ...answer, ...(about && { path: about.path, line: about.line }) } }
    },
    run: async action => {
      const call = answerCallOf({ action, tool_name: ANSWER_REVIEW_COMMENT })
      const comments = sentComments((await events?.()) ?? [])
      const found = comments.find(({ number }) => number === call?.comment)
      const open = openWords(comments.filter(comment => comment.answer === null && comment !== found))
      return {
        kind: 'MCPToolObservation',
        tool_name: ANSWER_REVIEW_COMMENT,
        content: text(found ? `${answeredWords(found)} ${open}` : `There is no comment ${call?.comment} here. ${open}`),
        is_error: !found,
      }
    },
    close: async () => {},
  }
}

function answeredWords({ number, answer }: SentComment): string {
  return answer ? `Comment ${number} has this answer in place of the one before.` : `Comment ${number} is answered.`
}

const MAX_LISTED = 20

function openWords(open: readonly SentComment[]): string {
  if (open.length === 0) return 'No other comment is without an answer.'
  const shown = open.slice(0, MAX_LISTED).map(comment => `${comment.number} (${placeWords(comment)})`)
  const more = open.length > MAX_LISTED ? ` and ${open.length - MAX_LISTED} more` : ''
  return `Comments without an answer: ${shown.join(', ')}${more}.`
}
