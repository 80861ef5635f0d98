import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { commentAnswer, MAX_REVIEW_COMMENTS, reviewComment } from '../../event/review-comments.ts'
import { conversationParams } from './params.ts'

const tag = 'App conversations'
const path = '/api/v1/app-conversations/{conversation_id}/review/comments'

const sentComment = reviewComment.extend({
  number: z.int().min(1).describe('Number by which the agent answers; it means the same comment for ever.'),
  sent_at: dateTime.describe('When it was sent.'),
  answer: commentAnswer
    .extend({ answered_at: dateTime.describe('When the agent answered.') })
    .nullable()
    .describe('The last answer of the agent; null while there is none.'),
})

/** They are read from the events of the conversation, so those of a branch that was left are not among them. */
export const listReviewComments = route({
  method: 'get',
  path,
  summary: 'The comments of its reviews with the answers of the agent',
  description:
    'Lists every comment that was sent with `review/comments`, by its number, with what the agent answered last. Lines are those of the moment at which the comment was written.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({ items: z.array(sentComment).describe('The comments by number.') }),
})

/** One message, which the agent reads as text; each comment gets a number. */
export const sendReviewComments = route({
  method: 'post',
  path,
  summary: 'Send comments on lines of the changes to the agent as one review',
  description: `Adds one message with all comments to the conversation; the agent answers each with \`answer_review_comment\`, and \`GET\` lists the answers. At most ${MAX_REVIEW_COMMENTS} at once.`,
  tag,
  params: conversationParams,
  body: z.object({
    comments: z
      .array(reviewComment)
      .min(1)
      .max(MAX_REVIEW_COMMENTS)
      .describe('The comments in the order of the message.'),
    run: z.boolean().default(true).describe('Whether the agent starts to work if it does not already.'),
  }),
  failures: IN_OWN_CONVERSATION,
  reply: z.object({ numbers: z.array(z.int()).describe('Number of each comment, in the order of the request.') }),
})
