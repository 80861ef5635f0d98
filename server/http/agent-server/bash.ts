import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as bash from '../../api/agent-server/bash.ts'
import { mountGateway } from './mount.ts'

/** Commands of clients in the key's sandbox. */
export function mountGatewayBash(app: Express, { bash: service }: GatewayServices): void {
  mountGateway(app, bash.searchBashEvents, async ({ access, query, signal }) =>
    (await service.history(access, signal)).search(query),
  )
  mountGateway(app, bash.batchGetBashEvents, async ({ access, body, signal }) =>
    (await service.history(access, signal)).batch(body),
  )
  mountGateway(app, bash.getBashEvent, async ({ access, params, signal }) =>
    (await service.history(access, signal)).get(params.event_id),
  )
  mountGateway(app, bash.startBashCommand, ({ access, body, signal }) => service.start(access, body, signal))
  mountGateway(app, bash.executeBashCommand, ({ access, body, signal }) => service.execute(access, body, signal))
  mountGateway(app, bash.clearBashEvents, async ({ access, signal }) => ({
    cleared_count: (await service.history(access, signal)).clear(),
  }))
}
