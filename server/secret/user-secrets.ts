import type { UserSecrets } from '../api/v1/settings/user-secrets.ts'
import type { Bus } from '../bus.ts'
import { messageOf } from '../domain/errors.ts'
import type { Database } from '../store/database/database.ts'
import { OrphanedVaultItemTable } from '../store/orphaned-vault-items.ts'
import { ProviderTokenTable, vaultItemsOf } from '../store/provider-tokens.ts'
import { SecretTable } from '../store/secrets.ts'
import { CustomSecrets } from './custom-secrets.ts'
import { createSecretEnvironment, type SecretEnvironment } from './mask/environment.ts'
import type { Mask } from './mask/mask.ts'
import { ProviderTokens, type VerifyToken } from './provider-tokens.ts'
import { VaultItems } from './vault/items.ts'
import type { SecretLog } from './vault/log.ts'
import type { Vault } from './vault/vault.ts'

/** Everything that the user entrusts to the service beside the keys of its settings. */
export interface SecretStore {
  secrets: CustomSecrets
  tokens: ProviderTokens
  environment: SecretEnvironment
  /** Where others keep values of their own. */
  items: VaultItems
  /** Adds or replaces what is named. @throws AppError bad_request, or one of the vault */
  merge(given: UserSecrets): Promise<void>
  /** Begins to delete what a crash left behind and to tell the mask every value; nobody needs to wait for that. */
  start(): void
  /** Resolves when that has ended. */
  close(): Promise<void>
}

export function createSecretStore(dependencies: {
  database: Database
  vault: Vault
  mask: Pick<Mask, 'add'>
  bus: Bus
  log: SecretLog
  verify: VerifyToken
  /** For the renewal of tokens. */
  fetch: typeof globalThis.fetch
}): SecretStore {
  const { database } = dependencies
  const items = new VaultItems({ ...dependencies, orphans: new OrphanedVaultItemTable(database) })
  const secrets = new CustomSecrets({ ...dependencies, items, table: new SecretTable(database) })
  const tokens = new ProviderTokens({ ...dependencies, items, table: new ProviderTokenTable(database) })
  let starting: Promise<void> = Promise.resolve()
  const tidy = async () => {
    await items.sweep()
    await items.learn([...secrets.rows().map(row => row.vault_item), ...tokens.rows().flatMap(vaultItemsOf)])
  }
  return {
    secrets,
    tokens,
    environment: createSecretEnvironment({ secrets, tokens, items }),
    items,
    merge: async given => {
      if (given.custom_secrets) await secrets.merge(given.custom_secrets)
      if (given.provider_tokens) await tokens.merge(given.provider_tokens)
    },
    start: () => {
      starting = tidy().catch(error => dependencies.log.warn({ error: messageOf(error) }, 'Secrets could not be read'))
    },
    close: async () => {
      await starting
      await tokens.close()
    },
  }
}
