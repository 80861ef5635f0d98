import type { Bus } from '../../bus.ts'
import { Forges } from '../../git-providers/api/forges.ts'
import { GitData } from '../../git-providers/api/git-data.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { Log } from '../../log.ts'
import { ANSWER_LIMITS } from '../../outbound/limits.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ConversationReview } from '../review/review.ts'
import type { AuxiliaryModel } from '../run/auxiliary-model.ts'
import type { ConversationService } from '../service.ts'
import { GitDrafts } from './drafts.ts'
import { createPublisher } from './publisher.ts'
import { ConversationPullRequests } from './pull-requests.ts'
import { ConversationGit } from './work.ts'

/** The ways of a conversation's work into its repository, and on to the remote. */
export function openGitWork(
  dependencies: {
    conversations: Pick<ConversationService, 'findOwn' | 'send'>
    review: Pick<ConversationReview, 'assertIdle' | 'replaceLines'>
    sandboxes: SandboxService
    settings: Pick<SettingsService, 'read'>
    tokens: TokenSource
    mask: Pick<Mask, 'mask'>
  },
  {
    rows,
    bus,
    outbound,
    auxiliaryModel,
    log,
  }: { rows: ConversationTable; bus: Bus; outbound: Outbound; auxiliaryModel: AuxiliaryModel; log: Log },
) {
  const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData })
  const logs = {
    own: outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.checkLog }),
    elsewhere: outbound.fetch({ namedBy: 'other', limits: ANSWER_LIMITS.checkLog }),
  }
  const transfer = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitTransfer })
  const forges = new Forges({ tokens: dependencies.tokens, fetch, logs })
  const git = new ConversationGit({ ...dependencies, fetch: transfer })
  const pullRequests = new ConversationPullRequests({ ...dependencies, rows, bus, forges, fetch: transfer })
  const { tokens } = dependencies
  return {
    services: {
      gitData: new GitData({ forges, log }),
      git,
      drafts: new GitDrafts({ ...dependencies, auxiliaryModel }),
      pullRequests,
    },
    publisherOf: (conversation: Conversation) => createPublisher(conversation, { git, pullRequests, tokens }),
  }
}
