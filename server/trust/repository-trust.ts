import type {
  ConversationTrust,
  ConversationTrustItem,
  RepositoryItem,
  RepositoryRole,
  TrustedItem,
  TrustedRepository,
} from '../api/v1/conversation/repository-trust.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Skill } from '../domain/skill.ts'
import type { SubAgent } from '../domain/sub-agent.ts'
import type { SecretVariable } from '../secret/mask/environment.ts'
import { names } from '../secret/mask/variable-names.ts'
import type { ConversationRepository, ConversationRepositoryTable } from '../store/conversation/repositories.ts'
import type { TrustedRepositoryTable } from '../store/trusted-repositories.ts'
import { digestOf } from './content.ts'
import { skillItem, subAgentDigest } from './inspect.ts'
import { type LeftOut, leftOut } from './left-out.ts'

interface Dependencies {
  trusted: TrustedRepositoryTable
  conversations: ConversationRepositoryTable
  /** Secrets that there are for a conversation, whether its repository is trusted or not. */
  variables: (id: ConversationId) => readonly SecretVariable[]
  /** What a sub-agent's conversation is; undefined for any other conversation. */
  subAgentOf: (id: ConversationId) => SubAgent | undefined
  parentOf: (id: ConversationId) => ConversationId | null
  mask: (text: string) => string
  bus: Bus
}

/**
 * Which repositories a person trusts, and with what content. Only a person gives trust, through the API's own key; nothing
 * that an agent or a repository does can. What is trusted is content: with other content there is no trust.
 */
export class RepositoryTrust {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** The last first. */
  list(): TrustedRepository[] {
    const byRepository = new Map<string, TrustedItem[]>()
    for (const { repository, item } of this.#dependencies.trusted.all()) {
      byRepository.set(repository, [...(byRepository.get(repository) ?? []), item])
    }
    return [...byRepository].map(([repository, items]) => toTrustedRepository(repository, items))
  }

  /** @throws AppError not_found for what no conversation has found, conflict for what cannot be trusted */
  trust({ repository, digest }: { repository: string; digest: string }): TrustedRepository {
    const { trusted } = this.#dependencies
    const finders = this.#finders(repository, digest)
    const [first] = finders
    if (!first) {
      throw new AppError(
        'not_found',
        'No conversation has found this content in this repository. It may have changed: look at it again, then decide.',
      )
    }
    const trusted_at = new Date().toISOString()
    const items = first.record.items.flatMap(({ problem, ...item }) => {
      // A conversation may have secrets of its own.
      const secrets = [...new Set(finders.flatMap(({ id }) => this.secretsNamed(id, { ...item, problem })))]
      return problem === null ? [{ ...item, trusted_at, secrets }] : []
    })
    if (items.length === 0) {
      throw new AppError('conflict', 'Nothing of this repository can be trusted. Its items say why.')
    }
    trusted.put(repository, items)
    for (const { id, record } of finders) this.keep(id, { ...record, postponed: null })
    this.#publish(repository)
    return toTrustedRepository(
      repository,
      trusted.all().flatMap(one => (one.repository === repository ? [one.item] : [])),
    )
  }

  /** @throws AppError not_found */
  distrust(repository: string): void {
    if (!this.#dependencies.trusted.delete(repository)) {
      throw new AppError('not_found', 'This repository is not trusted. It may have been removed from the list already.')
    }
    this.#publish(repository)
  }

  /** Whether this content, in this repository, may get these secrets. */
  isTrusted(repository: string, item: RepositoryItem, secrets: readonly string[] = []): boolean {
    if (item.problem !== null) return false
    const found = this.#dependencies.trusted.get(repository, item.sha256)
    return found !== undefined && found.role === item.role && secrets.every(name => found.secrets.includes(name))
  }

  /** Whether the commands of a skill may be run; those of a sub-agent's conversation are its parent's. */
  trustsSkill(id: ConversationId, skill: Skill): boolean {
    const parent = this.#dependencies.parentOf(id)
    const record = this.record(id) ?? (parent === null ? undefined : this.record(parent))
    return record !== undefined && this.isTrusted(record.repository, skillItem(skill))
  }

  /** Variables of all secrets that there are. */
  secretNames(id: ConversationId): string[] {
    return this.#dependencies.variables(id).map(({ variable }) => variable)
  }

  /** Variables of the secrets that an item names. */
  secretsNamed(id: ConversationId, item: RepositoryItem): string[] {
    if (item.role === 'tool_server') return [...item.carries]
    // What names none beforehand, and what gets none.
    const text = ['sub_agent', 'skill', 'services'].includes(item.role) ? null : item.files[0]?.text
    if (!text) return []
    return this.secretNames(id).filter(variable => names(text, variable))
  }

  record(id: ConversationId): ConversationRepository | undefined {
    return this.#dependencies.conversations.get(id)
  }

  /** Keeps what was read, without secret values. @returns whether anything has changed */
  keep(id: ConversationId, record: ConversationRepository): boolean {
    const { conversations, bus } = this.#dependencies
    const settled = record.settled && { ...record.settled, item: this.#masked(record.settled.item) }
    const kept = { ...record, settled, items: record.items.map(item => this.#masked(item)) }
    if (JSON.stringify(kept) === JSON.stringify(conversations.get(id))) return false
    conversations.save(id, kept)
    bus.publish({ resource: 'conversation', id })
    return true
  }

  /** Conversations that work in a repository. */
  conversationsIn(repository: string): ConversationId[] {
    return this.#dependencies.conversations.idsOf(repository)
  }

  copy(from: ConversationId, to: ConversationId): void {
    this.#dependencies.conversations.copy(from, to)
  }

  items(id: ConversationId, { repository, items }: ConversationRepository): ConversationTrustItem[] {
    return items.map(item => {
      const secrets = this.secretsNamed(id, item)
      return { ...item, secrets, trusted: this.isTrusted(repository, item, secrets) }
    })
  }

  leftOut(id: ConversationId): LeftOut[] {
    const record = this.record(id)
    if (!record) return []
    const hasSecrets = this.#dependencies.variables(id).length > 0
    return leftOut(this.items(id, record), record, { hasSecrets })
  }

  /** As clients see it, without what is going on now. */
  view(id: ConversationId): Omit<ConversationTrust, 'set_up'> {
    const record = this.record(id)
    const items = record ? this.items(id, record) : []
    const digest = digestOf(items)
    const missing = this.leftOut(id)
    const asks = missing.some(({ item }) => !item.trusted && item.problem === null)
    const decided = items.some(({ trusted }) => trusted) ? 'trusted' : 'nothing'
    const asked = record?.postponed === digest ? 'postponed' : 'waiting'
    return {
      repository: record?.repository ?? '',
      digest,
      state: asks ? asked : decided,
      items,
      left_out: missing.map(({ sentence }) => sentence),
    }
  }

  /** Not now, for the present content. */
  postpone(id: ConversationId): void {
    const record = this.record(id)
    if (record) this.keep(id, { ...record, postponed: digestOf(record.items) })
  }

  /**
   * Whether a conversation goes without secrets: that of a sub-agent which a repository describes, unless a person trusts
   * the repository with the very description that the sub-agent has.
   */
  withholdsSecrets(id: ConversationId): boolean {
    const { subAgentOf, parentOf, trusted } = this.#dependencies
    const kind = subAgentOf(id)
    if (kind?.source !== 'repository') return false
    const parent = parentOf(id)
    const repository = parent && this.record(parent)?.repository
    if (!repository) return true
    const digest = subAgentDigest(kind)
    return !trusted
      .all()
      .some(
        one =>
          one.repository === repository &&
          one.item.role === 'sub_agent' &&
          one.item.files.some(({ sha256 }) => sha256 === digest),
      )
  }

  /** Conversations that have found this content. */
  #finders(repository: string, digest: string): { id: ConversationId; record: ConversationRepository }[] {
    const { conversations } = this.#dependencies
    return conversations.idsOf(repository).flatMap(id => {
      const record = conversations.get(id)
      return record && record.items.length > 0 && digestOf(record.items) === digest ? [{ id, record }] : []
    })
  }

  #masked(item: RepositoryItem): RepositoryItem {
    const { mask } = this.#dependencies
    const files = item.files.map(file => ({ ...file, text: file.text === null ? null : mask(file.text) }))
    return { ...item, files }
  }

  #publish(repository: string): void {
    const { conversations, bus } = this.#dependencies
    bus.publish({ resource: 'settings' })
    for (const id of conversations.idsOf(repository)) bus.publish({ resource: 'conversation', id })
  }
}

function toTrustedRepository(repository: string, items: TrustedItem[]): TrustedRepository {
  const trusted_at = items[0]?.trusted_at ?? new Date(0).toISOString()
  return { repository, trusted_at, items: items.toSorted((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role)) }
}

/** As a start meets them. */
const ORDER: readonly RepositoryRole[] = ['services', 'setup_script', 'pre_commit', 'sub_agent', 'tool_server', 'skill']
