import { join } from 'node:path'
import type { EventLog } from '../../event/log.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { ConversationReviewComments } from '../review/comments.ts'
import { Comparisons } from '../review/comparisons.ts'
import { ConversationReview } from '../review/review.ts'
import type { ConversationService } from '../service.ts'
import { Attachments } from '../start/attachments.ts'
import { SandboxFiles } from '../workspace/sandbox-files.ts'
import { ConversationFiles } from './files.ts'

/** The files of conversations, and what was changed in them. */
export function openFiles(dependencies: {
  dataDir: string
  eventLog: EventLog
  conversations: ConversationService
  sandboxes: SandboxService
  mask: Pick<Mask, 'mask'>
  checkpoints: Checkpoints
}) {
  const { checkpoints } = dependencies
  const review = new ConversationReview(dependencies)
  return {
    attachments: new Attachments(join(dependencies.dataDir, 'atelier-attachments')),
    files: new ConversationFiles(dependencies),
    sandboxFiles: new SandboxFiles(dependencies),
    review,
    comparisons: new Comparisons({ ...dependencies, review }),
    reviewComments: new ConversationReviewComments(dependencies),
    checkpoints,
  }
}
