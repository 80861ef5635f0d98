import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import { SandboxSecrets } from '../secret/sandbox-secrets.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'

/** Whose secrets the key of a sandbox reads: those that were active last. */
const MAX_SANDBOX_CONVERSATIONS = 100

export function openSandboxSecrets(secrets: ConversationSecrets, conversations: ConversationTable): SandboxSecrets {
  return new SandboxSecrets({
    secrets,
    conversationsOf: sandboxId =>
      conversations
        .list({ sandboxId, includeSubConversations: true }, 'updated_at', 0, MAX_SANDBOX_CONVERSATIONS)
        .map(({ id }) => id),
  })
}
