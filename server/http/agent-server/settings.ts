import type { Express, NextFunction, Request, Response } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import { AGENT_FIELDS, CONVERSATION_FIELDS, schemaOf } from '../../agent-server/settings/fields.ts'
import { getLlmProfile } from '../../api/agent-server/profiles.ts'
import * as routes from '../../api/agent-server/settings.ts'
import { AppError } from '../../domain/errors.ts'
import { expressPath } from '../mount/mount.ts'
import { mountGateway } from './mount.ts'

/** The app's settings and the user's secrets. */
export function mountGatewaySettings(app: Express, { settings }: GatewayServices): void {
  for (const { path } of [routes.getGatewaySettings, getLlmProfile]) app.get(expressPath(path), checkExposedSecrets)
  mountGateway(app, routes.getGatewaySettings, ({ access }) => settings.get(access))
  mountGateway(app, routes.updateGatewaySettings, ({ access, body }) => settings.update(access, body))
  mountGateway(app, routes.createGatewayToolServer, ({ access, params, body }) =>
    settings.addToolServer(access, params.key, body),
  )
  mountGateway(app, routes.updateGatewayToolServer, ({ access, params, body }) =>
    settings.changeToolServer(access, params.key, body),
  )
  mountGateway(app, routes.deleteGatewayToolServer, ({ access, params }) =>
    settings.removeToolServer(access, params.key),
  )
  mountGateway(app, routes.getAgentSettingsSchema, () => schemaOf(AGENT_FIELDS))
  mountGateway(app, routes.getConversationSettingsSchema, () => schemaOf(CONVERSATION_FIELDS))
  mountGateway(app, routes.listGatewaySecrets, ({ access }) => settings.secrets(access))
  mountGateway(app, routes.putGatewaySecret, ({ access, body }) => settings.putSecret(access, body))
  mountGateway(app, routes.deleteGatewaySecret, ({ access, params }) => settings.deleteSecret(access, params.name))
}

/** Secrets stay masked whatever is asked for; an unknown form of asking is refused. */
function checkExposedSecrets(request: Request, _response: Response, next: NextFunction): void {
  const asked = request.get('X-Expose-Secrets')
  if (asked === undefined || WAYS_TO_EXPOSE.has(asked.trim().toLowerCase())) return next()
  throw new AppError(
    'bad_request',
    'X-Expose-Secrets is not understood. Send plaintext, encrypted or true, or leave it out.',
  )
}

const WAYS_TO_EXPOSE = new Set(['plaintext', 'encrypted', 'true'])
