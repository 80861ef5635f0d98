import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import { reviewMessage, sentComments } from '../../api/event/review-comments.ts'
import type { listReviewComments, sendReviewComments } from '../../api/v1/conversation/review.ts'
import type { EventLog } from '../../event/log.ts'
import { KnownComments } from '../../event/review-comments.ts'
import type { ConversationService } from '../service.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: Pick<ConversationService, 'find' | 'send'>
}

/** The comments of people on the changes of a conversation. They are messages of its log, and so are the answers. */
export class ConversationReviewComments {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Of the present branch, by their numbers. */
  async list(id: string): Promise<RouteReply<typeof listReviewComments>> {
    const { eventLog, conversations } = this.#dependencies
    return { items: await eventLog.readTree(conversations.find(id).id, tree => sentComments(tree.activeBranch())) }
  }

  /** As one message. Their numbers go on from those of the whole log, so that one means one comment on every branch. */
  send(id: string, { comments, run }: RouteBody<typeof sendReviewComments>): RouteReply<typeof sendReviewComments> {
    const { eventLog, conversations } = this.#dependencies
    const known = new KnownComments(eventLog, conversations.find(id).id)
    const first = (known.list().at(-1)?.number ?? 0) + 1
    const numbered = comments.map((comment, index) => ({ ...comment, number: first + index }))
    conversations.send(id, { role: 'user', content: [{ type: 'text', text: reviewMessage(numbered) }], run })
    return { numbers: numbered.map(({ number }) => number) }
  }
}
