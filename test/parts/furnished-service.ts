import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { createSandboxSpec } from '../../server/api/sandbox-specs.ts'
import { type SettingsPatch, storeSettings } from '../../server/api/settings.ts'
import { startGitProvider } from '../fakes/git-provider.ts'
import { startMcpServer } from '../fakes/mcp-http-server.ts'
import type { Turn } from '../fakes/model-server/turn.ts'
import { type ModelRequest, startModelServer } from '../fakes/model-server.ts'
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts'
import { SPEC } from './furnished-sandboxes.ts'
import { LLM, Things } from './furnished-things.ts'
import { gatewayCaller, startGatewaySandbox } from './gateway.ts'
import { startGitServer } from './git-server.ts'
import { createLockableVault, type LockableVault } from './lockable-vault.ts'
import type { OperationCase, OtherService } from './operation-case.ts'
import { filled } from './operation-fill.ts'
import { startTestService, type TestService } from './service.ts'

/** What the model does about the next requests; where it would be asked again, it says to wait for too long. */
export const MODEL_MOODS = {
  'refuses the key': { fault: 'authentication' },
  'knows no such model': { fault: 'unknown-model' },
  'has no credit left': { fault: 'no-credit' },
  'is asked too often': { fault: 'rate-limit', retryAfter: 10_000 },
  'reads no more': { fault: 'context-overflow' },
  'withholds its answer': { fault: 'content-policy' },
  'refuses the history': {
    refusal: { status: 400, message: "An assistant message with 'tool_calls' must be followed by tool messages" },
  },
  'refuses the request': { fault: 'bad-request' },
  'is broken': { fault: 'overloaded', retryAfter: 10_000 },
  'answers in another form': { text: 'No tags here.' },
  'answers in the form asked for': { text: '<update_prompt>Run the tests with make.</update_prompt>' },
} as const satisfies Record<string, Turn>

/** A service with one of everything that requests can be about. */
export interface Furnished {
  service: TestService
  sandboxKey: string
  vault: LockableVault
  engine: EngineProxy
  /** Another service, for what this one cannot be. */
  other(kind: OtherService): Promise<TestService>
  /** Does the work while the model and the settings are as the case wants them. */
  under<Result>(given: OperationCase, work: () => Promise<Result>): Promise<Result>
  /** What `$name` stands for; made when it is first asked for, and each time where a request uses it up. */
  resolve(name: string, isUsedUp?: boolean): Promise<string>
  close(): Promise<void>
}

export async function startFurnishedService(): Promise<Furnished> {
  const engine = await startEngineProxy(process.env.DOCKER_HOST ?? '')
  const direct = process.env.DOCKER_HOST
  process.env.DOCKER_HOST = engine.host
  const vault = createLockableVault()
  const model = await startModelServer()
  let mood: Turn | null = null
  model.setScript(request => mood ?? turnFor(request))
  const settings = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-furnished-0123' }
  const service = await startTestService({ vault, settings })
  const { caller, id } = await startGatewaySandbox(service)
  const provider = await startGitProvider()
  provider.accepted.add('Bearer good')
  const silent = await startSilentServer()
  const others = new Map<string, Promise<TestService>>()
  const vaults = [vault]
  const other = (kind: OtherService) => {
    const own = createLockableVault()
    const started = others.get(kind) ?? startOther(kind, own, join(service.dataDir, 'none'))
    if (!others.has(kind)) vaults.push(own)
    // Its key is another one after it was used.
    others.set(kind === 'own key' ? `${kind} ${vaults.length}` : kind, started)
    return started
  }
  const tools = await startMcpServer()
  const untrusted = await startUntrustedServer()
  const locked = await startGitServer({ credentials: { user: 'somebody', password: 'else' } })
  await locked.add('private', { 'a.txt': 'a\n' })
  const places = {
    model: model.url.openai,
    provider: provider.address,
    silent: `http://host.docker.internal:${portOf(silent)}`,
    untrusted: `https://localhost:${portOf(untrusted)}/v1`,
    locked: locked.url('private'),
  }
  const things = new Things({ service, caller, sandboxId: id, tools, places })
  // As long as it is there, its sandbox outlives the deletion of others.
  await things.resolve('conversation')
  return {
    service,
    sandboxKey: caller.key,
    vault,
    engine,
    other,
    under: async (given, work) => {
      mood = given.model ? MODEL_MOODS[given.model] : null
      const save = (body: SettingsPatch) => service.client.call(storeSettings, { body })
      if (given.settings) await save(await filled(given.settings, name => things.resolve(name)))
      if (given.vault) for (const one of vaults) one.lock(0, given.vault)
      try {
        return await work()
      } finally {
        mood = null
        for (const one of vaults) one.unlock()
        if (given.settings) await save(settings)
      }
    },
    resolve: (name, isUsedUp) => things.resolve(name, isUsedUp),
    close: async () => {
      if (direct === undefined) delete process.env.DOCKER_HOST
      else process.env.DOCKER_HOST = direct
      for (const started of others.values()) await (await started).close()
      await service.close()
      await Promise.all([model.close(), provider.close(), tools.close(), locked.close(), engine.close()])
      silent.close()
      untrusted.close()
    },
  }
}

async function startOther(kind: OtherService, vault: LockableVault, resourcesDir: string): Promise<TestService> {
  const other = await startTestService({ givenKey: kind === 'given key', vault, resourcesDir })
  if (kind === 'full') {
    for (let made = 0; made < 100; made++) await other.client.call(createSandboxSpec, { body: SPEC })
    const gateway = gatewayCaller(other, other.key)
    for (let made = 0; made < 50; made++) await gateway.call('POST', `/api/profiles/profile-${made}`, { llm: LLM })
  }
  return other
}

/** By what it is told last: to hang, to call a tool, otherwise to finish. */
function turnFor(request: ModelRequest): Turn {
  const last = JSON.stringify(request.body.messages.at(-1))
  if (last.includes('Hang')) return { fault: 'hang' }
  if (last.includes('side question')) return { text: 'An answer.' }
  if (last.includes('Ask')) return { toolCalls: [{ name: 'ask_client', arguments: {} }] }
  if (last.includes('Call')) return { toolCalls: [{ name: 'terminal', arguments: { command: 'true' } }] }
  return { toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }
}

async function startSilentServer(): Promise<Server> {
  const server = createServer(() => {}).unref()
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  return server
}

/** Speaks TLS with a certificate that nobody vouches for. */
async function startUntrustedServer(): Promise<Server> {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../fakes/data', name))
  const server = createTlsServer({ key: read('untrusted-key.pem'), cert: read('untrusted-certificate.pem') })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
