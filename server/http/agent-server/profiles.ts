import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as routes from '../../api/agent-server/profiles.ts'
import { mountGateway } from './mount.ts'

/** Models that were saved under a name. */
export function mountGatewayProfiles(app: Express, { profiles, conversations }: GatewayServices): void {
  mountGateway(app, routes.listLlmProfiles, ({ access }) => profiles.list(access))
  mountGateway(app, routes.getLlmProfile, ({ access, params }) => profiles.get(access, params.name))
  mountGateway(app, routes.saveLlmProfile, ({ access, params, body }) => profiles.save(access, params.name, body))
  mountGateway(app, routes.deleteLlmProfile, ({ access, params }) => profiles.delete(access, params.name))
  mountGateway(app, routes.renameLlmProfile, ({ access, params, body }) =>
    profiles.rename(access, params.name, body.new_name),
  )
  mountGateway(app, routes.activateLlmProfile, ({ access, params }) => profiles.activate(access, params.name))
  mountGateway(app, routes.validateLlmProfile, ({ access, params, body, signal }) =>
    profiles.validate(access, params.name, body.llm, signal),
  )
  mountGateway(app, routes.switchLlmProfile, async ({ access, params, body }) => {
    await conversations.switchProfile(access, params.conversation_id, body.profile_name)
    return { success: true }
  })
}
