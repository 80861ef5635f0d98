import type { Express } from 'express'
import * as kept from '../../../api/v1/conversation/checkpoints.ts'
import * as apply from '../../../api/v1/conversation/folder/apply.ts'
import * as branch from '../../../api/v1/conversation/folder/branch.ts'
import { inspectFolder } from '../../../api/v1/conversation/folder/folders.ts'
import * as reviews from '../../../api/v1/conversation/review.ts'
import * as routes from '../../../api/v1/conversation/workspace.ts'
import { lookForDevContainers } from '../../../api/v1/sandbox/dev-containers.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'
import { mountDownload } from '../../mount/stream.ts'

/** Folders of this computer, and dev containers before a start; the files of a conversation, its changes and its record. */
export function mountConversationWorkspace(
  app: Express,
  {
    conversations,
    files,
    review,
    reviewComments,
    checkpoints,
    folderMounts,
    folderApply,
    folderBranches,
    devContainers,
    starter,
  }: Services,
): void {
  mount(app, lookForDevContainers, async ({ body, signal }) => ({
    items: await devContainers.look(starter.sourceOf(body), signal),
  }))
  mount(app, inspectFolder, ({ body, signal }) => folderMounts.inspect(body.path, signal))
  mount(app, apply.previewFolderApply, ({ params, signal }) => folderApply.preview(params.conversation_id, signal))
  mount(app, apply.applyToFolder, ({ params, body, signal }) => {
    const choices = new Map(body.choices.map(({ path, choice }) => [path, choice]))
    return folderApply.apply(params.conversation_id, choices, signal)
  })
  mount(app, apply.undoFolderApply, ({ params, query }) => folderApply.undo(params.conversation_id, query.id ?? null))
  mount(app, branch.createFolderBranch, ({ params, body: { name = null, message = null }, signal }) =>
    folderBranches.create(params.conversation_id, { name, message }, signal),
  )
  mount(app, branch.undoFolderBranch, ({ params, body }) => folderBranches.undo(params.conversation_id, body.branch))
  mount(app, routes.getConversationFile, ({ params, query }) => files.read(params.conversation_id, query.file_path))
  mount(app, routes.getConversationChanges, ({ params, query, signal }) =>
    files.changes(params.conversation_id, query.path, signal),
  )
  mount(app, routes.getConversationDiff, ({ params, query, signal }) =>
    files.diff(params.conversation_id, query.path, signal),
  )
  mount(app, kept.listCheckpoints, ({ params, query }) =>
    checkpoints.list(conversations.find(params.conversation_id), query),
  )
  mount(app, kept.restoreCheckpoint, ({ params, query, signal }) =>
    review.restore(params.conversation_id, { id: params.checkpoint_id, expected: query.version ?? null }, signal),
  )
  mount(app, reviews.listReviewFiles, ({ params, query, signal }) =>
    review.files(params.conversation_id, query, signal),
  )
  mount(app, reviews.getReviewFile, ({ params, query, signal }) =>
    review.content(params.conversation_id, query, signal),
  )
  mount(app, reviews.stageReviewFile, ({ params, body, signal }) => review.stage(params.conversation_id, body, signal))
  mount(app, reviews.revertReviewFile, ({ params, body, signal }) =>
    review.revert(params.conversation_id, body, signal),
  )
  mount(app, reviews.undoReviewRevert, ({ params, body, signal }) => review.undo(params.conversation_id, body, signal))
  mount(app, reviews.listReviewComments, ({ params }) => reviewComments.list(params.conversation_id))
  mount(app, reviews.sendReviewComments, ({ params, body }) => reviewComments.send(params.conversation_id, body))
  mountDownload(
    app,
    routes.downloadConversation,
    ({ params }) => `conversation_${params.conversation_id.replaceAll('-', '')}.zip`,
    ({ params }) => files.download(params.conversation_id),
  )
}
