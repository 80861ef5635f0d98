import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pino from 'pino'
import { getLocalApiKey } from '../api/v1/system/local-api-key.ts'
import { alive } from '../api/v1/system/system.ts'
import { ApiError } from '../client/api-error.ts'
import { Atelier } from '../client/atelier.ts'
import { openWebSocket } from '../client/node/connect.ts'
import { dataDirOf, defaultDataDir } from '../data-dir.ts'
import { readDiscoveryFile } from '../discovery-file.ts'
import { messageOf } from '../domain/errors.ts'
import { SESSION_API_KEY_NAME } from '../secret/api-key.ts'
import { openVault } from '../secret/vault/open.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import type { CommandHost } from './host.ts'
import type { Terminal } from './output/terminal.ts'
import { isAllowed } from './permission.ts'

/** Options that every command has. */
export interface GlobalOptions {
  json?: boolean
  color: boolean
  key?: string
  url?: string
  dataDir?: string
  start?: boolean
}

/** One command that runs. */
export interface Session {
  host: CommandHost
  terminal: Terminal
  options: GlobalOptions
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

const START_TIMEOUT_MS = 60_000

export function dataDirOfSession({ options }: Pick<Session, 'options'>): string {
  return options.dataDir ? resolve(options.dataDir) : dataDirOf(process.env)
}

/** The running service with a key that it takes. @throws CommandError noService, refused */
export async function openAtelier(session: Session): Promise<Atelier> {
  const { options, signal } = session
  const url = options.url ?? (await runningUrl(session))
  const key = options.key || process.env.SESSION_API_KEY || (await keyOfKeychain(session))
  const atelier = new Atelier({ url, key, connect: openWebSocket })
  await atelier.call(alive, { signal })
  await atelier.call(getLocalApiKey, { signal }).catch(error => {
    if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error
    throw new CommandError(EXIT.refused, refusedWords(options), { cause: error })
  })
  return atelier
}

function refusedWords(options: GlobalOptions): string {
  if (options.key || process.env.SESSION_API_KEY) return 'The service refused the key. Check --key or SESSION_API_KEY.'
  return 'The service has another key than the keychain: it was given one with SESSION_API_KEY, or has no keychain. Give that key to this command too.'
}

async function runningUrl(session: Session): Promise<string> {
  const dataDir = dataDirOfSession(session)
  const found = readDiscoveryFile(dataDir)
  if (found) return found.url
  if (session.options.start) return startService(session, dataDir)
  throw new CommandError(
    EXIT.noService,
    `Atelier does not run (data folder ${dataDir}). Open the app, run \`atelier serve\`, or add --start.`,
  )
}

/** @throws CommandError refused when it was not allowed, or the keychain has none */
async function keyOfKeychain(session: Session): Promise<string> {
  if (!isAllowed(dataDirOfSession(session))) {
    throw new CommandError(
      EXIT.refused,
      'This command may not read the key of the app yet. Allow it once with `atelier login`, or give the key in SESSION_API_KEY.',
    )
  }
  return readKeychain(session)
}

/** @throws CommandError refused */
export async function readKeychain(session: Session): Promise<string> {
  const vault = await openVault({
    spawnChild: session.host.startKeychainProcess,
    dataDir: dataDirOfSession(session),
    defaultDataDir: defaultDataDir(),
    env: process.env,
    log: pino({ level: 'silent' }),
  })
  try {
    const status = await vault.status()
    const key = status.state === 'ready' ? await vault.get(SESSION_API_KEY_NAME) : null
    if (key) return key
    const reason = status.reason ?? 'The keychain has no key of Atelier: the app has not run yet.'
    throw new CommandError(EXIT.refused, `${reason} Give the key in SESSION_API_KEY instead.`)
  } finally {
    await vault.close()
  }
}

/** Starts the service without a window, which goes on after this command. Its log is in the data folder. */
async function startService({ host, terminal, signal }: Session, dataDir: string): Promise<string> {
  terminal.say('Starting the service …', 'dim')
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const log = openSync(join(dataDir, 'logs', 'serve.log'), 'a', 0o600)
  const child = spawn(host.self.program, [...host.self.args, 'serve'], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    env: { ...process.env, ATELIER_DATA_DIR: dataDir },
  })
  let ended: string | undefined
  child.once('error', error => {
    ended = messageOf(error)
  })
  child.once('exit', code => {
    ended ??= `it ended with ${code}`
  })
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    signal.throwIfAborted()
    const found = readDiscoveryFile(dataDir)
    if (found) {
      child.unref()
      terminal.say(`The service runs (process ${found.pid}). \`atelier serve --stop\` ends it.`, 'dim')
      return found.url
    }
    if (ended !== undefined || Date.now() > deadline) break
    await new Promise(done => setTimeout(done, 50))
  }
  const reason = ended ?? 'it does not answer'
  throw new CommandError(
    EXIT.noService,
    `The service could not be started: ${reason}. ${join(dataDir, 'logs', 'serve.log')} says why.`,
  )
}
