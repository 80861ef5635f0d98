import { z } from 'zod'
import { type ConversationSecretsInput, lookupSecret, staticSecret } from '../api/v1/conversation/secrets.ts'
import { createMutex } from '../async/mutex.ts'
import { isAppError } from '../domain/errors.ts'
import type { ConversationSecretTable, SecretMetadata } from '../store/conversation/secrets.ts'
import type { SecretEnvironment, SecretVariable } from './mask/environment.ts'
import { isUnchanged } from './mask/input.ts'
import type { Mask } from './mask/mask.ts'
import { names, refuseReserved, variableOf } from './mask/variable-names.ts'
import type { ReadRemoteSecret } from './remote-secret.ts'
import type { VaultItems } from './vault/items.ts'

interface Dependencies {
  table: ConversationSecretTable
  items: VaultItems
  /** The user's own, which every conversation has. */
  shared: SecretEnvironment
  mask: Pick<Mask, 'add'>
  lookup: ReadRemoteSecret
  parentOf: (conversationId: string) => string | null
  /** Whether the conversation goes without secrets. */
  withholds: (conversationId: string) => boolean
}

const storedSecrets = z.record(
  z.string(),
  z.discriminatedUnion('kind', [staticSecret.extend({ kind: z.literal('StaticSecret') }), lookupSecret]),
)
type StoredSecrets = z.output<typeof storedSecrets>
const NONE: StoredSecrets = {}
const MAX_REMEMBERED = 1000

/**
 * Secrets of single conversations, beside the user's own: one item of the vault each, deleted with the conversation. A
 * sub-conversation has those of its parent too. A vault that lasts for a session only loses them with it.
 */
export class ConversationSecrets {
  readonly #dependencies: Dependencies
  readonly #mutex = createMutex()
  /** Items whose values the mask knows. */
  readonly #learned = new Set<string>()
  /** Variables that commands of a conversation have named, of the conversations that did so last. */
  readonly #namedBy = new Map<string, Set<string>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Adds or replaces what is named. The conversation may be one that is about to start.
   * @throws AppError bad_request for a name that a shell needs, or one of the vault: then nothing has changed
   */
  async merge(conversationId: string, given: ConversationSecretsInput): Promise<void> {
    if (Object.keys(given).length === 0) return
    for (const name of Object.keys(given)) refuseReserved(name)
    await this.#mutex(async () => {
      const row = this.#dependencies.table.get(conversationId)
      const before = row ? await this.#read(row.vault_item) : NONE
      await this.#save(conversationId, { ...before, ...replacements(given, before) })
    })
  }

  /** For a conversation that begins as another one is. @throws AppError of the vault */
  async copy(from: string, to: string): Promise<void> {
    await this.#mutex(async () => {
      const all = await Promise.all(this.#rows(from).map(({ vault_item }) => this.#read(vault_item)))
      const merged: StoredSecrets = Object.assign({}, ...all.reverse())
      if (Object.keys(merged).length > 0) await this.#save(to, merged)
    })
  }

  /** What there is, without values. */
  told(conversationId: string): SecretMetadata[] {
    const found = new Map<string, SecretMetadata>()
    for (const { told } of this.#rows(conversationId)) {
      for (const secret of told) if (!found.has(secret.name)) found.set(secret.name, secret)
    }
    return [...found.values()]
  }

  /** What the conversation's agent has: nothing where secrets are withheld. */
  environmentOf(conversationId: string): SecretEnvironment {
    const { withholds } = this.#dependencies
    const all = this.allOf(conversationId)
    return {
      variables: () => (withholds(conversationId) ? [] : all.variables()),
      forCommand: async (command, signal) => {
        if (!withholds(conversationId)) return all.forCommand(command, signal)
        // The mask learns what there is to hide all the same.
        await all.forCommand('', signal)
        return {}
      },
    }
  }

  /** The conversation's own secrets over the user's, also where its agent gets none. */
  allOf(conversationId: string): SecretEnvironment {
    const { shared } = this.#dependencies
    return {
      variables: () => {
        const own = this.told(conversationId).map(({ name, description }) => ({
          variable: variableOf(name),
          description,
        }))
        const taken = new Set(own.map(({ variable }) => variable))
        return [...own, ...shared.variables().filter(({ variable }) => !taken.has(variable))]
      },
      forCommand: async (command, signal) => {
        const environment = {
          ...(await shared.forCommand(command, signal)),
          ...(await this.#named(conversationId, command, signal)),
        }
        this.#remember(conversationId, Object.keys(environment))
        return environment
      },
    }
  }

  /** Of those that it may use, the ones that were given for it or that it has named. */
  variablesOf(conversationId: string): SecretVariable[] {
    const given = this.told(conversationId).map(({ name }) => variableOf(name))
    const own = new Set([...given, ...(this.#namedBy.get(conversationId) ?? [])])
    return this.environmentOf(conversationId)
      .variables()
      .filter(({ variable }) => own.has(variable))
  }

  /** Of a conversation that did not start after all. Never rejects for a vault that does not answer. */
  async forget(conversationId: string): Promise<void> {
    this.#dependencies.table.delete(conversationId)
    await this.#dependencies.items.sweep()
  }

  /** Deletes what a start left behind that the service did not outlive, and tells the mask every value. */
  async tidy(): Promise<void> {
    const { table, items } = this.#dependencies
    table.deleteOrphans()
    await items.sweep()
    for (const item of table.items()) await this.#learn(item)
  }

  /** Tells the mask the values of all conversations. @throws AppError of the vault */
  async learnAll(): Promise<void> {
    for (const item of this.#dependencies.table.items()) if (!this.#learned.has(item)) await this.#read(item)
  }

  #remember(conversationId: string, variables: readonly string[]): void {
    if (variables.length === 0) return
    const before = this.#namedBy.get(conversationId) ?? []
    this.#namedBy.delete(conversationId)
    this.#namedBy.set(conversationId, new Set([...before, ...variables]))
    const [oldest] = this.#namedBy.keys()
    if (this.#namedBy.size > MAX_REMEMBERED && oldest !== undefined) this.#namedBy.delete(oldest)
  }

  async #named(
    conversationId: string,
    command: string,
    signal = new AbortController().signal,
  ): Promise<Record<string, string>> {
    const environment: Record<string, string> = {}
    // The nearest wins, so it comes last.
    for (const { vault_item, told } of this.#rows(conversationId).reverse()) {
      const wanted = told.filter(({ name }) => names(command, name))
      if (wanted.length === 0) {
        await this.#learn(vault_item)
        continue
      }
      const secrets = await this.#read(vault_item)
      for (const { name } of wanted) {
        const value = await this.#valueOf(name, secrets[name], signal)
        if (value !== null) environment[variableOf(name)] = value
      }
    }
    return environment
  }

  async #valueOf(name: string, secret: StoredSecrets[string] | undefined, signal: AbortSignal): Promise<string | null> {
    if (secret?.kind !== 'LookupSecret') return secret?.value ?? null
    const value = await this.#dependencies.lookup(name, secret, signal)
    this.#dependencies.mask.add(value)
    return value
  }

  /** Of the conversation and of those above it, the nearest first; without those whose values are gone. */
  #rows(conversationId: string) {
    const { table, items, parentOf } = this.#dependencies
    const chain = new Set<string>()
    for (let id: string | null = conversationId; id !== null && !chain.has(id); id = parentOf(id)) chain.add(id)
    return [...chain]
      .map(id => table.get(id))
      .filter(row => row !== undefined)
      .filter(({ vault_item }) => !items.isGone(vault_item))
  }

  async #save(conversationId: string, secrets: StoredSecrets): Promise<void> {
    const { table, items } = this.#dependencies
    const told = Object.entries(secrets).map(([name, { kind, description }]) => ({
      name,
      kind,
      description: description ?? '',
    }))
    for (const value of valuesIn(secrets)) this.#dependencies.mask.add(value)
    await items.store([JSON.stringify(secrets)], ([vault_item = '']) => {
      const before = table.get(conversationId)
      table.put(conversationId, { vault_item, told })
      return before ? [before.vault_item] : []
    })
  }

  /** @throws AppError of the vault */
  async #read(item: string): Promise<StoredSecrets> {
    const text = await this.#dependencies.items.read(item)
    const secrets = text === null ? NONE : storedSecrets.parse(JSON.parse(text))
    for (const value of valuesIn(secrets)) this.#dependencies.mask.add(value)
    this.#learned.add(item)
    return secrets
  }

  /** A vault that does not answer is asked again next time. */
  async #learn(item: string): Promise<void> {
    if (this.#learned.has(item)) return
    try {
      await this.#read(item)
    } catch (error) {
      if (!isAppError(error)) throw error
    }
  }
}

function replacements(given: ConversationSecretsInput, before: StoredSecrets): StoredSecrets {
  const replaced: StoredSecrets = {}
  for (const [name, entry] of Object.entries(given)) {
    const secret = typeof entry === 'string' ? staticSecret.parse({ value: entry }) : entry
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    const description = secret.description ?? old?.description ?? null
    if (secret.kind === 'LookupSecret' || !isUnchanged(secret.value)) replaced[name] = { ...secret, description }
    else if (old) replaced[name] = { ...old, description }
  }
  return replaced
}

const HARMLESS_HEADER = /^(accept|content|user-agent|cache-control)/i

/** What nobody should read. */
function valuesIn(secrets: StoredSecrets): string[] {
  return Object.values(secrets).flatMap(secret => {
    if (secret.kind === 'StaticSecret') return secret.value ? [secret.value] : []
    const headers = Object.entries(secret.headers).filter(([name]) => !HARMLESS_HEADER.test(name))
    return headers.flatMap(([, value]) => [value, value.replace(/^(bearer|basic|token)\s+/i, '')])
  })
}
