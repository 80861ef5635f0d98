import { addEngine } from '../../../server/api/v1/system/engines.ts'
import type { TestService } from '../service/service.ts'

/** Ports at which nobody listens. */
const FIRST_PORT = 2

/** Engines that do not answer: one that stays, one for a test that removes it, and an address that none has. */
export function engineThings(around: () => { service: TestService }) {
  let port = FIRST_PORT
  const add = async (host: string) => {
    const body = { name: 'Away', address: { kind: 'host' as const, host } }
    return (await around().service.client.call(addEngine, { body })).id
  }
  const freeHost = async () => `tcp://127.0.0.1:${++port}`
  return {
    engine: () => add(`tcp://127.0.0.1:${FIRST_PORT}`),
    spareEngine: async () => add(await freeHost()),
    freeEngineHost: freeHost,
  }
}
