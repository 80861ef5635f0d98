import type { Express } from 'express'
import { inspectFolder } from '../../api/v1/conversation/folders.ts'
import * as routes from '../../api/v1/conversation/workspace.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'
import { mountDownload } from '../mount/stream.ts'

/** Folders of this computer; the files of a conversation, its changes and its record. */
export function mountConversationWorkspace(app: Express, { files, folders }: Services): void {
  mount(app, inspectFolder, ({ body, signal }) => folders.inspect(body.path, signal))
  mount(app, routes.getConversationFile, ({ params, query }) => files.read(params.conversation_id, query.file_path))
  mount(app, routes.getConversationChanges, ({ params, query, signal }) =>
    files.changes(params.conversation_id, query.path, signal),
  )
  mount(app, routes.getConversationDiff, ({ params, query, signal }) =>
    files.diff(params.conversation_id, query.path, signal),
  )
  mountDownload(
    app,
    routes.downloadConversation,
    ({ params }) => `conversation_${params.conversation_id.replaceAll('-', '')}.zip`,
    ({ params }) => files.download(params.conversation_id),
  )
}
