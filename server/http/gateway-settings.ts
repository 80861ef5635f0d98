import type { Express } from 'express'
import * as routes from '../api/gateway-settings.ts'
import type { GatewayServices } from '../gateway/services.ts'
import { AGENT_FIELDS, CONVERSATION_FIELDS, schemaOf } from '../gateway/settings-fields.ts'
import { mountGateway } from './gateway-mount.ts'

/** The app's settings and the user's secrets. */
export function mountGatewaySettings(app: Express, { settings }: GatewayServices): void {
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
