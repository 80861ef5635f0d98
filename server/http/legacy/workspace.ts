import type { Express } from 'express'
import * as routes from '../../api/legacy/workspace.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'
import { mountDownload, mountUpload } from '../mount/stream.ts'
import { inWorkspace } from './refusals.ts'

/** The files of a conversation's sandbox in the legacy generation's words. */
export function mountLegacyWorkspace(app: Express, { legacy: { files } }: Services): void {
  mount(app, routes.listFiles, ({ params, query, signal }) =>
    inWorkspace(params, id => files.list(id, query.path, signal)),
  )
  mount(app, routes.selectFile, ({ params, query }) =>
    inWorkspace(params, async id => ({ code: await files.read(id, query.file) })),
  )
  mountDownload(app, routes.zipDirectory, 'workspace.zip', ({ params }) => inWorkspace(params, id => files.zip(id)))
  mountUpload(app, routes.uploadFiles, ({ params, signal }, form) =>
    inWorkspace(params, id => files.upload(id, form, signal)),
  )
  mount(app, routes.getGitChanges, ({ params, signal }) => inWorkspace(params, id => files.changes(id, signal)))
  mount(app, routes.getGitDiff, ({ params, query, signal }) =>
    inWorkspace(params, id => files.diff(id, query.path, signal)),
  )
  mount(app, routes.getMicroagents, ({ params, signal }) =>
    inWorkspace(params, async id => ({ microagents: await files.microagents(id, signal) })),
  )
  mount(app, routes.getWebHosts, ({ params }) => inWorkspace(params, async id => ({ hosts: await files.hosts(id) })))
  mount(app, routes.getVscodeUrl, ({ params }) => inWorkspace(params, id => files.editor(id)))
}
