import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pino from 'pino'
import { describe, expect } from 'vitest'
import { isAppError } from '../../server/domain/errors.ts'
import { type ChildPort, forkKeychainProcess } from '../../server/secret/keychain/child-port.ts'
import { createKeychain } from '../../server/secret/keychain/keychain.ts'
import { openVault } from '../../server/secret/vault/open.ts'
import type { Vault } from '../../server/secret/vault/vault.ts'
import { it as base } from '../fixtures/keyring.ts'
import { buildKeychainProcess } from '../parts/secret/keychain-process.ts'
import { type SecretService, startSecretService } from '../parts/secret/service.ts'

const test = base
  .extend('processFile', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { file, remove } = await buildKeychainProcess()
    onCleanup(remove)
    return file
  })
  /** What a test has opened is closed after it, the newest first. */
  .extend('opened', async ({}, { onCleanup }) => {
    const opened: { close(): Promise<void> }[] = []
    onCleanup(async () => {
      for (const { close } of opened.reverse()) await close()
    })
    return opened
  })
  .extend(
    'keychain',
    ({ keyring, processFile, opened }) =>
      (options: { env?: NodeJS.ProcessEnv; instance?: string; spawnChild?: () => ChildPort } = {}): Vault => {
        const { env = keyring.env, instance = null } = options
        const spawnChild = options.spawnChild ?? (() => forkKeychainProcess(processFile, env))
        const vault = createKeychain({ spawnChild, service: 'Atelier test', instance, timeoutMs: 5_000, log })
        opened.push(vault)
        return vault
      },
  )
  .extend('open', ({ processFile, opened }) => async (env: NodeJS.ProcessEnv): Promise<Vault> => {
    const vault = await openVault({ spawnChild: () => forkKeychainProcess(processFile, env), ...FOLDERS, env, log })
    opened.push(vault)
    return vault
  })

const log = pino({ level: 'silent' })
const FOLDERS = { dataDir: '/home/user/data', defaultDataDir: '/home/user/data' }

describe('a keychain that is open', () => {
  test('keeps a value, replaces it and forgets it', async ({ keychain }) => {
    const vault = keychain()
    expect(await vault.status()).toEqual({ state: 'ready', storage: 'keychain', reason: null })
    expect(await vault.get('llm_api_key')).toBeNull()
    await vault.set('llm_api_key', 'sk-first')
    await vault.set('llm_api_key', 'sk-second ✓')
    expect(await vault.get('llm_api_key')).toBe('sk-second ✓')
    await vault.delete('llm_api_key')
    expect(await vault.get('llm_api_key')).toBeNull()
  })

  test('has the value after everything has been started again', async ({ keychain, keyring }) => {
    await keychain().set('kept', 'over restarts')
    await keyring.unlock()
    expect(await keychain().get('kept')).toBe('over restarts')
  })

  test('goes on when the keyring service is restarted under it', async ({ keychain, keyring }) => {
    const vault = keychain()
    await vault.set('steady', 'value')
    await keyring.unlock()
    expect(await vault.get('steady')).toBe('value')
  })

  test('keeps values longer than an item of Windows can be, and removes their parts', async ({ keychain, keyring }) => {
    const vault = keychain()
    const long = 'ü€😀x'.repeat(2_000)
    await vault.set('long', long)
    expect(await vault.get('long')).toBe(long)
    const head = await rawItem(keyring, 'long')
    expect(Buffer.byteLength(head)).toBeLessThan(2_560)
    const firstPart = `long#${head.split(':')[2]}.0`
    expect(Buffer.byteLength(await rawItem(keyring, firstPart))).toBeLessThanOrEqual(2_000)
    await vault.set('long', 'short now')
    expect(await vault.get('long')).toBe('short now')
    expect(await rawItem(keyring, firstPart)).toBe('')
  })

  test('is not confused by a value that looks like the header of a long one', async ({ keychain }) => {
    const vault = keychain()
    await vault.set('odd', 'atelier:parts:00:3')
    expect(await vault.get('odd')).toBe('atelier:parts:00:3')
  })

  test('keeps data folders apart', async ({ keychain }) => {
    await keychain().set('shared_name', 'of the user')
    await keychain({ instance: 'a1b2c3d4' }).set('shared_name', 'of a test')
    expect(await keychain().get('shared_name')).toBe('of the user')
  })

  test('takes calls made at the same time one after the other', async ({ keychain }) => {
    const vault = keychain()
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
    await Promise.all(values.map(value => vault.set('contended', value)))
    expect(await vault.get('contended')).toBe('value 19')
  })
})

describe('locked, missing and empty', () => {
  test('a locked keyring is said to be locked, not empty, and is noticed when it opens', async ({
    keychain,
    keyring,
  }) => {
    const vault = keychain()
    await vault.set('behind_lock', 'there')
    await keyring.lock()
    await expect(vault.get('behind_lock')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
    await expect(vault.set('behind_lock', 'other')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
    expect(await vault.status()).toMatchObject({ state: 'locked', storage: 'keychain' })
    await keyring.unlock()
    expect(await vault.status()).toMatchObject({ state: 'ready' })
    expect(await vault.get('behind_lock')).toBe('there')
  })

  test('asking to unlock ends where nothing can ask for a password, and it is locked still', async ({
    opened,
    keychain,
  }) => {
    const own = await startSecretService({ locked: true })
    opened.push(own)
    const vault = keychain({ env: own.env })
    expect(await vault.requestUnlock(new AbortController().signal)).toMatchObject({ state: 'locked' })
    await own.unlock()
    expect(await vault.requestUnlock(new AbortController().signal)).toMatchObject({ state: 'ready' })
    expect(await vault.get('unlock')).toBeNull()
  })

  test('while a prompt waits others hear at once that it is locked, and giving up frees it', async ({
    opened,
    processFile,
    keychain,
  }) => {
    const own = await startSecretService({ locked: true })
    opened.push(own)
    let started = 0
    const spawnChild = (): ChildPort => {
      started += 1
      if (started === 2) return forkKeychainProcess(processFile, own.env)
      let exit = () => {}
      const onExit = (listener: () => void) => {
        exit = listener
      }
      return { send: () => {}, onMessage: () => {}, onExit, kill: () => exit() }
    }
    const vault = keychain({ spawnChild })
    const giveUp = new AbortController()
    const asked = vault.requestUnlock(giveUp.signal)
    await expect(vault.get('any')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
    giveUp.abort()
    await expect(asked).resolves.toMatchObject({ state: 'failed' })
  })

  test('no keyring service on the session is missing', async ({ opened, keychain }) => {
    const own = await startSecretService()
    opened.push(own)
    await own.stopKeyring()
    const vault = keychain({ env: own.env })
    expect(await vault.status()).toMatchObject({ state: 'missing' })
    await expect(vault.get('any')).rejects.toSatisfy(error => isAppError(error, 'keychain_missing'))
  })

  test('no session at all is missing', async ({ keyring, keychain }) => {
    const { DBUS_SESSION_BUS_ADDRESS: _bus, XDG_RUNTIME_DIR: _runtime, ...env } = keyring.env
    expect(await keychain({ env }).status()).toMatchObject({ state: 'missing' })
    const disabled = { ...env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' }
    expect(await keychain({ env: disabled }).status()).toMatchObject({ state: 'missing' })
    const gone = { ...env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }
    expect(await keychain({ env: gone }).status()).toMatchObject({ state: 'missing' })
  })
})

describe('a keychain process that misbehaves', () => {
  test('one that never answers is killed, the caller hears locked, and the next call has a new process', async ({
    processFile,
    keyring,
    opened,
  }) => {
    let started = 0
    const hung = spawn('sleep', ['600'], { stdio: 'ignore' })
    const ended = once(hung, 'exit')
    const spawnChild = (): ChildPort => {
      started += 1
      if (started > 1) return forkKeychainProcess(processFile, keyring.env)
      const onMessage = (listener: (message: unknown) => void) => listener('started')
      return { send: () => {}, onMessage, onExit: () => {}, kill: () => void hung.kill('SIGKILL') }
    }
    const vault = createKeychain({ spawnChild, service: 'Atelier test', instance: null, timeoutMs: 5_000, log })
    opened.push(vault)
    await expect(vault.get('any')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
    await ended
    await vault.set('after_hang', 'works')
    expect(await vault.get('after_hang')).toBe('works')
  })

  test('one that is slow to start is waited for, and one that never starts is not', async () => {
    let reply: (message: unknown) => void = () => {}
    const slow: ChildPort = {
      send: () => setTimeout(() => ['started', { id: 1, ok: true, value: null }].forEach(reply), 300),
      onMessage: listener => {
        reply = listener
      },
      onExit: () => {},
      kill: () => {},
    }
    const limits = { timeoutMs: 50, startMs: 60_000 }
    const patient = createKeychain({ spawnChild: () => slow, service: 'Atelier test', instance: null, ...limits, log })
    expect(await patient.status()).toMatchObject({ state: 'ready' })
    const never = { ...slow, send: () => {} }
    const options = { spawnChild: () => never, service: 'Atelier test', instance: null, timeoutMs: 60_000, log }
    expect(await createKeychain({ ...options, startMs: 50 }).status()).toMatchObject({ state: 'locked' })
  })

  test('one that dies is replaced within the call', async ({ processFile, keyring, keychain }) => {
    let port: ChildPort | undefined
    const spawnChild = (): ChildPort => {
      port = forkKeychainProcess(processFile, keyring.env)
      return port
    }
    const vault = keychain({ spawnChild })
    await vault.set('survivor', 'alive')
    port?.kill()
    expect(await vault.get('survivor')).toBe('alive')
  })

  test('an answer in a wrong form is no answer', async () => {
    let reply: (message: unknown) => void = () => {}
    const spawnChild = (): ChildPort => ({
      send: () => reply({ id: 1, ok: true, value: { toString: 'evil' } }),
      onMessage: listener => {
        reply = listener
      },
      onExit: () => {},
      kill: () => {},
    })
    const limits = { timeoutMs: 50, startMs: 50 }
    const vault = createKeychain({ spawnChild, service: 'Atelier test', instance: null, ...limits, log })
    await expect(vault.get('any')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
  })
})

describe('opening a vault', () => {
  test('without a keychain values stay in memory, and move to the keychain once there is one', async ({
    opened,
    open,
  }) => {
    const own = await startSecretService()
    opened.push(own)
    await own.stopKeyring()
    const vault = await open(own.env)
    expect(await vault.status()).toMatchObject({ state: 'missing', storage: 'session-only' })
    await vault.set('llm_api_key', 'sk-early')
    await vault.set('removed', 'x')
    await vault.delete('removed')
    expect(await vault.get('llm_api_key')).toBe('sk-early')
    await own.unlock()
    expect(await vault.status()).toEqual({ state: 'ready', storage: 'keychain', reason: null })
    const later = await open(own.env)
    expect(await later.get('llm_api_key')).toBe('sk-early')
    expect(await later.get('removed')).toBeNull()
  })

  test('a locked keychain is not replaced by memory', async ({ opened, open }) => {
    const own = await startSecretService({ locked: true })
    opened.push(own)
    const vault = await open(own.env)
    expect(await vault.status()).toMatchObject({ state: 'locked', storage: 'keychain' })
    await expect(vault.set('llm_api_key', 'sk')).rejects.toSatisfy(error => isAppError(error, 'keychain_locked'))
  })

  test('ATELIER_VAULT=session asks no keychain', async () => {
    const spawnChild = (): ChildPort => {
      throw new Error('asked')
    }
    const vault = await openVault({ spawnChild, ...FOLDERS, env: { ATELIER_VAULT: 'session' }, log })
    await vault.set('a', 'b')
    expect(await vault.get('a')).toBe('b')
    expect(await vault.status()).toMatchObject({ storage: 'session-only' })
  })
})

/** The item as the keychain has it, read by another program's means; '' when there is none. */
async function rawItem(keyring: SecretService, account: string): Promise<string> {
  const code = `require('keytar').getPassword('Atelier test', ${JSON.stringify(account)}).then(v => process.stdout.write(v ?? ''))`
  const child = spawn(process.execPath, ['-e', code], { env: keyring.env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}
