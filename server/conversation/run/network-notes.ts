import { networkWords } from '../../agent/prompt.ts'
import type { AgentRun } from '../../agent/run.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

const MAX_HOSTS = 20

/** What agents are to know of the networks of their sandboxes, so that they do not guess. */
export class NetworkNotes {
  readonly #network: Pick<SandboxService['network'], 'policyOf' | 'refusedSince'>
  /** As each agent knows it: its prompt stays what it was. */
  readonly #known = new Map<ConversationId, string>()

  constructor(network: Pick<SandboxService['network'], 'policyOf' | 'refusedSince'>) {
    this.#network = network
  }

  of({ id, sandbox_id: sandboxId }: Conversation): NonNullable<AgentRun['networkNote']> {
    let since = new Date().toISOString()
    return async () => {
      const policy = this.#network.policyOf(sandboxId)
      if (!policy) return null
      const words = networkWords(policy)
      const before = this.#known.get(id) ?? words
      this.#known.set(id, words)
      if (before !== words) return `The user has changed the network of this sandbox. ${words}`
      if (policy.network !== 'allowlist') return null
      const hosts = await this.#network.refusedSince(sandboxId, since)
      since = new Date().toISOString()
      return refused(hosts)
    }
  }
}

function refused(hosts: readonly string[]): string | null {
  if (hosts.length === 0) return null
  const more = hosts.length > MAX_HOSTS ? ` and ${hosts.length - MAX_HOSTS} more` : ''
  return `The network policy of this sandbox refused ${hosts.slice(0, MAX_HOSTS).join(', ')}${more}. Only the user can allow a host, in the details of this conversation under Network. Do not look for another way; go on without it, or say which host the task needs and why.`
}
