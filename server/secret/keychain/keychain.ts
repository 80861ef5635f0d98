import { z } from 'zod'
import type { KeychainStatus } from '../../api/v1/system/system.ts'
import { createMutex } from '../../async/mutex.ts'
import { AppError } from '../../domain/errors.ts'
import { accountOf, instanceOf } from '../vault/instance.ts'
import type { SecretLog } from '../vault/log.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChildPort } from './child-port.ts'
import { partSuffixes, splitValue } from './chunked-value.ts'
import { createKeychainClient, type KeychainClient } from './client.ts'
import type { KeychainAnswer, KeychainCall } from './protocol.ts'

export interface KeychainOptions {
  spawnChild: () => ChildPort
  /** The item's service in the keychain: `Atelier`. */
  service: string
  /** Keeps the items of another data folder apart; null for the user's own. */
  instance: string | null
  timeoutMs: number
  startMs?: number
  log: SecretLog
}

/** Secrets as items of the operating system's keychain, one item each (long values: one and its parts). */
export function createKeychain(options: KeychainOptions): Vault {
  const { service, instance } = options
  const client = createKeychainClient(options)
  const unlocking = new Set<KeychainClient>()
  const mutex = createMutex()
  const account = (name: string): string => accountOf(name, instance)
  const items: Items = {
    get: name => ask(client, { op: 'get', service, account: account(name) }),
    set: (name, value) => ask(client, { op: 'set', service, account: account(name), value }),
    delete: name => ask(client, { op: 'delete', service, account: account(name) }),
  }
  return {
    get: name => mutex(() => readValue(items, name)),
    set: (name, value) => mutex(() => writeValue(items, name, value)),
    delete: name => mutex(() => deleteValue(items, name)),
    clear: () =>
      mutex(async () => {
        const accounts = accountList.parse(JSON.parse((await ask(client, { op: 'list', service })) ?? '[]'))
        for (const each of accounts) {
          if (instanceOf(each) === instance) await ask(client, { op: 'delete', service, account: each })
        }
      }),
    status: () => mutex(async () => statusOf(await askWithRetry(client, { op: 'probe', service }))),
    // Not in turn and in a process of its own: while a person looks for the password, other calls hear at once that it is locked.
    requestUnlock: async signal => {
      const patient = createKeychainClient({ ...options, timeoutMs: USER_INPUT_TIMEOUT_MS })
      const end = () => patient.close()
      unlocking.add(patient)
      signal.addEventListener('abort', end, { once: true })
      try {
        signal.throwIfAborted()
        return statusOf(await patient.ask({ op: 'unlock', service }))
      } finally {
        signal.removeEventListener('abort', end)
        unlocking.delete(patient)
        end()
      }
    },
    // Not in turn: ending the process is what frees a call that hangs.
    close: async () => {
      for (const one of [client, ...unlocking]) one.close()
    },
  }
}

const accountList = z.array(z.string())

/** How long a person may take to enter a password. */
const USER_INPUT_TIMEOUT_MS = 180_000

interface Items {
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<string | null>
  delete(name: string): Promise<string | null>
}

async function readValue(items: Items, name: string): Promise<string | null> {
  const head = await items.get(name)
  const suffixes = head === null ? undefined : partSuffixes(head)
  if (!suffixes) return head
  let value = ''
  for (const suffix of suffixes) {
    const part = await items.get(name + suffix)
    if (part === null)
      throw new AppError('keychain_failed', `A part of ${name} is missing in the keychain. Enter it again.`)
    value += part
  }
  return value
}

async function writeValue(items: Items, name: string, value: string): Promise<void> {
  if (value === '') return deleteValue(items, name) // an empty item is no secret, and some systems refuse it
  const before = await items.get(name)
  const { head, parts } = splitValue(value)
  for (const { suffix, value: part } of parts) await items.set(name + suffix, part)
  await items.set(name, head)
  await deleteParts(items, name, before)
}

async function deleteValue(items: Items, name: string): Promise<void> {
  const before = await items.get(name)
  if (before !== null) await items.delete(name)
  await deleteParts(items, name, before)
}

async function deleteParts(items: Items, name: string, head: string | null): Promise<void> {
  for (const suffix of (head !== null && partSuffixes(head)) || []) await items.delete(name + suffix)
}

async function ask(client: KeychainClient, call: KeychainCall): Promise<string | null> {
  const answer = await askWithRetry(client, call)
  if (answer.ok) return answer.value
  throw new AppError(`keychain_${answer.state}`, `${MESSAGES[answer.state]} ${answer.reason} ${ADVICE[answer.state]}`)
}

/** Every call may be repeated. A failure is tried once more, as the keyring's own process may have been restarted. */
async function askWithRetry(client: KeychainClient, call: KeychainCall): Promise<KeychainAnswer> {
  const answer = await client.ask(call)
  if (answer.ok || answer.state !== 'failed') return answer
  client.restart()
  return client.ask(call)
}

type Problem = Exclude<KeychainStatus['state'], 'ready'>

const MESSAGES: Record<Problem, string> = {
  locked: 'The keychain of this computer is locked.',
  missing: 'This computer has no keychain that Atelier can use.',
  failed: 'The keychain of this computer refused.',
}
const ADVICE: Record<Problem, string> = {
  locked: 'Unlock it, then try again.',
  missing: 'Keys can be kept in memory until Atelier ends.',
  failed: 'Check that other programs can use it, then try again.',
}

function statusOf(answer: KeychainAnswer): KeychainStatus {
  if (answer.ok) return { state: 'ready', storage: 'keychain', reason: null }
  return { state: answer.state, storage: 'keychain', reason: `${MESSAGES[answer.state]} ${answer.reason}` }
}
