import { createServer } from 'node:net'
import { type Check, factsOf } from './check.ts'
import { findProgramOf } from './repairs.ts'

/** As they are set; 0 is any. */
export interface WantedPorts {
  port: number
  gatewayPort: number
}

/** Of a service that runs. */
export const servedPortsCheck =
  (wanted: WantedPorts, served: () => { api: string; gateway: string | null }): Check =>
  async () => {
    const { api, gateway } = served()
    const moved = [
      ...(differs(wanted.port, api) ? [wanted.port] : []),
      ...(gateway && differs(wanted.gatewayPort, gateway) ? [wanted.gatewayPort] : []),
    ]
    const facts = factsOf({ api, agent_server: gateway })
    return moved.length > 0
      ? { state: 'warning', finding: 'ports_moved', facts, steps: findProgramOf(moved, process.platform) }
      : { state: 'ok', finding: 'ports_served', facts }
  }

function differs(wanted: number, url: string): boolean {
  return wanted !== 0 && url !== '' && Number(new URL(url).port) !== wanted
}

/** Before a service runs. */
export const freePortsCheck =
  (wanted: WantedPorts): Check =>
  async () => {
    const ports = [wanted.port, wanted.gatewayPort].filter(port => port !== 0)
    const free = await Promise.all(ports.map(isFree))
    const taken = ports.filter((_, index) => !free[index])
    const facts = factsOf({ api: wanted.port, agent_server: wanted.gatewayPort })
    return taken.length > 0
      ? {
          state: 'warning',
          finding: 'ports_taken',
          facts: [...facts, ...factsOf({ reason: taken.join(', ') })],
          steps: findProgramOf(taken, process.platform),
        }
      : { state: 'ok', finding: 'ports_free', facts }
  }

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
