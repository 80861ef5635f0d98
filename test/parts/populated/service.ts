import { join } from 'node:path'
import { type SettingsPatch, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import { type EngineProxy, startEngineProxy } from '../engine/proxy.ts'
import type { OperationCase, OtherService } from '../operation/case.ts'
import { filled } from '../operation/fill.ts'
import { createLockableVault } from '../secret/lockable-vault.ts'
import { OtherServices } from '../service/other-services.ts'
import { startTestService, type TestService } from '../service/service.ts'
import { startUnreliableModel } from '../unreliable-model.ts'
import { startPlaces } from './places.ts'
import { Things } from './things.ts'

/** A service with one of everything that requests can be about. */
export interface PopulatedService {
  service: TestService
  sandboxKey: string
  engine: EngineProxy
  /** Another service, for what this one cannot be. */
  other(kind: OtherService): Promise<TestService>
  /** Does the work while the model, the settings and the keychain are as the case wants them. */
  under<Result>(given: OperationCase, work: () => Promise<Result>): Promise<Result>
  /** What `$name` stands for; made when it is first asked for, and each time where a request uses it up. */
  resolve(name: string, isUsedUp?: boolean): Promise<string>
  close(): Promise<void>
}

export async function startPopulatedService(): Promise<PopulatedService> {
  const { engine, restore } = await putEngineBehindProxy()
  const vault = createLockableVault()
  const { model, mood } = await startUnreliableModel()
  const llm = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-furnished-0123' }
  const settings = { ...llm, allowed_hosts: ['host.docker.internal'] }
  const service = await startTestService({ vault, settings })
  const { caller, id } = await startGatewaySandbox(service)
  const others = new OtherServices(join(service.dataDir, 'none'))
  const { tools, addresses, close: closePlaces } = await startPlaces()
  const places = { ...addresses, model: model.url.openai }
  const things = new Things({ service, caller, sandboxId: id, tools, places })
  // As long as it is there, its sandbox outlives the deletion of others.
  await things.resolve('conversation')
  const save = (body: SettingsPatch) => service.client.call(storeSettings, { body })
  return {
    service,
    sandboxKey: caller.key,
    engine,
    other: kind => others.get(kind),
    under: async (given, work) => {
      const vaults = [vault, ...others.vaults]
      if (given.settings) await save(await filled(given.settings, name => things.resolve(name)))
      mood(given.model ?? null)
      if (given.vault) for (const one of vaults) one.lock(0, given.vault)
      try {
        return await work()
      } finally {
        mood(null)
        for (const one of vaults) one.unlock()
        if (given.settings) await save(settings)
      }
    },
    resolve: (name, isUsedUp) => things.resolve(name, isUsedUp),
    close: async () => {
      restore()
      await others.close()
      await service.close()
      await Promise.all([model.close(), closePlaces(), engine.close()])
    },
  }
}

/** Services that are started from now on reach the engine through it. */
async function putEngineBehindProxy(): Promise<{ engine: EngineProxy; restore: () => void }> {
  const host = process.env.DOCKER_HOST
  if (!host) throw new Error('DOCKER_HOST is not set. Run the tests with `npm test`.')
  const engine = await startEngineProxy(host)
  process.env.DOCKER_HOST = engine.host
  return {
    engine,
    restore: () => {
      process.env.DOCKER_HOST = host
    },
  }
}
