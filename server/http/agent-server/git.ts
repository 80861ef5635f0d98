import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as git from '../../api/agent-server/git.ts'
import { mountGateway } from './mount.ts'

/** Repositories of the key's sandbox, in both shapes of the path. */
export function mountGatewayGit(app: Express, { git: service }: GatewayServices): void {
  mountGateway(app, git.gatewayGitChanges, ({ access, query, signal }) =>
    service.changes(access, query.path, query.ref, signal),
  )
  mountGateway(app, git.gatewayGitChangesByPath, ({ access, params, signal }) =>
    service.changes(access, params.path, null, signal),
  )
  mountGateway(app, git.gatewayGitCommits, ({ access, query, signal }) =>
    service.commits(access, query.path, query.limit, signal),
  )
  mountGateway(app, git.gatewayGitCommitChanges, ({ access, params, query, signal }) =>
    service.commitChanges(access, query.path, params.sha, signal),
  )
  mountGateway(app, git.gatewayGitDiff, ({ access, query, signal }) => service.diff(access, query.path, query, signal))
  mountGateway(app, git.gatewayGitDiffByPath, ({ access, params, signal }) =>
    service.diff(access, params.path, {}, signal),
  )
}
