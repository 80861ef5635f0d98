import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as routes from '../../api/agent-server/skills.ts'
import { mountGateway } from './mount.ts'

/** Skills and instructions for agents in a folder of the key's sandbox. */
export function mountGatewaySkills(app: Express, { skills }: GatewayServices): void {
  mountGateway(app, routes.listGatewaySubAgents, ({ access, body, signal }) => skills.subAgents(access, body, signal))
  mountGateway(app, routes.listGatewaySkills, ({ access, body, signal }) => skills.list(access, body, signal))
  mountGateway(app, routes.getGatewayHooks, ({ access, body, signal }) =>
    skills.hooks(access, body.project_dir, signal),
  )
}
