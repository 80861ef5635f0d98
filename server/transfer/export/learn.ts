import { KEY_FIELDS } from '../../api/v1/settings/key-fields.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import type { CustomSecrets } from '../../secret/custom-secrets.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { ProviderTokens } from '../../secret/provider-tokens.ts'
import type { VaultItems } from '../../secret/vault/items.ts'
import type { Vault } from '../../secret/vault/vault.ts'
import type { LlmProfileTable } from '../../store/llm-profiles.ts'
import { vaultItemsOf } from '../../store/provider-tokens.ts'

export interface LearnDependencies {
  profiles: Pick<LlmProfileTable, 'all'>
  secrets: Pick<CustomSecrets, 'rows'>
  tokens: Pick<ProviderTokens, 'rows'>
  conversationSecrets: Pick<ConversationSecrets, 'learnAll'>
  toolServers: Pick<McpHub, 'learnAll'>
  items: Pick<VaultItems, 'learnAll'>
  vault: Pick<Vault, 'get'>
  mask: Pick<Mask, 'add'>
}

/**
 * Tells the mask every value that is stored. What a person wrote is in a log as it was written, so nothing else keeps a key
 * in it from going along.
 * @throws AppError of the vault, where one of them cannot be read
 */
export async function learnSecrets(dependencies: LearnDependencies): Promise<void> {
  const { profiles, secrets, tokens, conversationSecrets, toolServers, items, vault, mask } = dependencies
  for (const field of KEY_FIELDS) {
    const key = await vault.get(field)
    if (key) mask.add(key)
  }
  await items.learnAll([
    ...profiles.all().flatMap(({ vault_item }) => vault_item ?? []),
    ...secrets.rows().map(({ vault_item }) => vault_item),
    ...tokens.rows().flatMap(vaultItemsOf),
  ])
  await conversationSecrets.learnAll()
  await toolServers.learnAll()
}
