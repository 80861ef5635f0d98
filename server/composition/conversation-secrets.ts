import { ANSWER_LIMITS } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { createRemoteSecretReader } from '../secret/remote-secret.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import { ConversationSecretTable } from '../store/conversation/secrets.ts'
import type { Database } from '../store/database/database.ts'

/** Secrets that conversations have of their own, beside those of the person. */
export function openConversationSecrets(
  parts: { database: Database; secrets: SecretStore; mask: Mask; outbound: Outbound } & Pick<
    ConstructorParameters<typeof ConversationSecrets>[0],
    'parentOf' | 'withholds'
  >,
): ConversationSecrets {
  const { database, secrets, mask, outbound, parentOf, withholds } = parts
  return new ConversationSecrets({
    table: new ConversationSecretTable(database),
    items: secrets.items,
    shared: secrets.environment,
    mask,
    // Whoever started the conversation named the address, and its commands get to read the answer.
    lookup: createRemoteSecretReader({
      fetch: outbound.fetch({ namedBy: 'other', limits: ANSWER_LIMITS.secretLookup }),
      now: Date.now,
    }),
    parentOf,
    withholds,
  })
}
