import { createSandboxSpec } from '../../../server/api/v1/sandbox/specs.ts'
import { gatewayCaller } from '../client/gateway.ts'
import type { OtherService } from '../operation/case.ts'
import { SPEC } from '../populated/sandboxes.ts'
import { LLM } from '../populated/things.ts'
import { createLockableVault, type LockableVault } from '../secret/lockable-vault.ts'
import { startTestService, type TestService } from './service.ts'

/** Services for what a furnished one cannot be; each is started when it is first asked for. */
export class OtherServices {
  readonly #started = new Map<string, Promise<TestService>>()
  readonly #resourcesDir: string
  readonly vaults: LockableVault[] = []

  /** @param resourcesDir where nothing is, as in a build that carries nothing */
  constructor(resourcesDir: string) {
    this.#resourcesDir = resourcesDir
  }

  get(kind: OtherService): Promise<TestService> {
    const known = this.#started.get(kind)
    if (known) return known
    const vault = createLockableVault()
    const started = startOther(kind, vault, this.#resourcesDir)
    // Once its own key was used it has another one, which nobody here knows.
    this.#started.set(kind === 'own key' ? `${kind} ${this.vaults.length}` : kind, started)
    this.vaults.push(vault)
    return started
  }

  async close(): Promise<void> {
    for (const started of this.#started.values()) await (await started).close()
  }
}

async function startOther(kind: OtherService, vault: LockableVault, resourcesDir: string): Promise<TestService> {
  const other = await startTestService({ givenKey: kind === 'given key', vault, resourcesDir })
  if (kind === 'full') await fill(other)
  return other
}

const MAX_SPECS = 100
const MAX_PROFILES = 50

async function fill(service: TestService): Promise<void> {
  for (let made = 0; made < MAX_SPECS; made++) await service.client.call(createSandboxSpec, { body: SPEC })
  const gateway = gatewayCaller(service, service.key)
  for (let made = 0; made < MAX_PROFILES; made++) {
    await gateway.call('POST', `/api/profiles/profile-${made}`, { llm: LLM })
  }
}
