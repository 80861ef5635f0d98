import { networkWords } from '../../agent/prompt.ts'
import type { AgentRun } from '../../agent/run.ts'
import { hostText } from '../../api/network-policy.ts'
import type { NetworkAttempt } from '../../api/v1/sandbox/network.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'

const MAX_HOSTS = 20

/** What agents are to know of the networks of their sandboxes, so that they do not guess. */
export class NetworkNotes {
  readonly #network: Pick<SandboxService['network'], 'policyOf' | 'refusedSince'>
  /** As each agent knows it: its prompt stays what it was. */
  readonly #known = new Map<ConversationId, string>()

  constructor(
    network: Pick<SandboxService['network'], 'policyOf' | 'refusedSince'>,
    conversations: Pick<ConversationTable, 'onDeleted'>,
  ) {
    this.#network = network
    conversations.onDeleted(id => this.#known.delete(id))
  }

  of({ id, sandbox_id: sandboxId }: Conversation): NonNullable<AgentRun['networkNote']> {
    let since = new Date().toISOString()
    return async ({ hasFailed }) => {
      const policy = this.#network.policyOf(sandboxId)
      if (!policy) return null
      const words = networkWords(policy)
      const before = this.#known.get(id) ?? words
      this.#known.set(id, words)
      // Of an open network it takes a look into the sandbox, and what went well was not refused.
      const isLooked = policy.network === 'allowlist' || (policy.network === 'full' && hasFailed)
      const isChanged = before !== words
      const refusals = isLooked && !isChanged ? await this.#network.refusedSince(sandboxId, since) : []
      // What came with an earlier step is not said again.
      since = new Date().toISOString()
      return isChanged ? `The user has changed the network of this sandbox. ${words}` : refused(refusals)
    }
  }
}

function refused(refusals: readonly NetworkAttempt[]): string | null {
  const by = (reason: NetworkAttempt['reason']) => refusals.filter(each => each.reason === reason)
  const notes = [listed(by('policy'), BY_POLICY), listed(by('private'), PRIVATE)].filter(note => note !== null)
  return notes.length > 0 ? notes.join(' ') : null
}

function listed(refusals: readonly NetworkAttempt[], words: (hosts: string) => string): string | null {
  if (refusals.length === 0) return null
  const hosts = refusals.map(
    ({ host, port }) => `${host === null ? 'an address without a name' : hostText(host)}:${port}`,
  )
  const more = hosts.length > MAX_HOSTS ? ` and ${hosts.length - MAX_HOSTS} more` : ''
  return words(`${hosts.slice(0, MAX_HOSTS).join(', ')}${more}`)
}

const BY_POLICY = (hosts: string) =>
  `The network policy of this sandbox refused ${hosts}. Only the user can allow a host, in the details of this conversation under Network. Do not look for another way; go on without it, or say which host the task needs and why.`

const PRIVATE = (hosts: string) =>
  `Refused: ${hosts}. This sandbox reaches no private address, of the user's machine or its network, unless the user allows it in Settings › Privacy. Do not look for another way; go on without it, or say which one the task needs and why.`
