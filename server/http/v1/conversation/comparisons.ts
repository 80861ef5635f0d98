import type { Express } from 'express'
import * as routes from '../../../api/v1/conversation/comparisons.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

/** The files of two conversations. */
export function mountComparisons(app: Express, { comparisons }: Services): void {
  mount(app, routes.compareConversations, ({ params, signal }) => comparisons.files(params, signal))
  mount(app, routes.getComparedFile, ({ params, query, signal }) => comparisons.content(params, query, signal))
  mount(app, routes.takeComparedFiles, ({ params, body, signal }) => comparisons.take(params, body, signal))
}
