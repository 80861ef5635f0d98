import type { ConversationSecrets } from './conversation-secrets.ts'
import type { SecretVariable } from './mask/environment.ts'

interface Dependencies {
  secrets: Pick<ConversationSecrets, 'environmentOf' | 'variablesOf'>
  /** Ids of the conversations of a sandbox. */
  conversationsOf: (sandboxId: string) => readonly string[]
}

/**
 * What the key of a sandbox reads: secrets that were given for a conversation of that sandbox, and those of the user that
 * one of its commands has named since the service started. Any other secret is not there for it.
 */
export class SandboxSecrets {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  list(sandboxId: string): SecretVariable[] {
    const found = new Map<string, SecretVariable>()
    for (const { secret } of this.#all(sandboxId)) if (!found.has(secret.variable)) found.set(secret.variable, secret)
    return [...found.values()]
  }

  /** undefined when it is none of its own. @throws AppError of the vault */
  async valueOf(sandboxId: string, variable: string): Promise<string | undefined> {
    const owner = this.#all(sandboxId).find(({ secret }) => secret.variable === variable)
    if (!owner) return undefined
    const environment = this.#dependencies.secrets.environmentOf(owner.conversationId)
    return (await environment.forCommand(`$${variable}`))[variable]
  }

  #all(sandboxId: string): { conversationId: string; secret: SecretVariable }[] {
    const { conversationsOf, secrets } = this.#dependencies
    return conversationsOf(sandboxId).flatMap(conversationId =>
      secrets.variablesOf(conversationId).map(secret => ({ conversationId, secret })),
    )
  }
}
