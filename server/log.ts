import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { createStream } from 'rotating-file-stream'
import { isSecretName } from './api/secret-names.ts'
import { makeFolder } from './disk/make-folder.ts'

export type Log = pino.Logger

export interface OpenLog {
  log: Log
  /** From now on every line passes it, whatever part of the line a value stands in. */
  maskWith(mask: (text: string) => string): void
  close(): Promise<void>
}

/** In its folder. */
export const LOG_FILE = 'atelier.log'

/** Logs go to stderr and to a file that rotates at 5 MB, five kept. stdout stays free for the ready line. */
export function createLog(options: { folder: string; level: pino.LevelWithSilent; stderr: boolean }): OpenLog {
  makeFolder(options.folder)
  createPrivately(join(options.folder, `${LOG_FILE}.txt`))
  const file = createStream(LOG_FILE, { path: options.folder, size: '5M', maxFiles: 5, mode: 0o600 })
  file.on('error', () => {})
  let mask = (text: string) => text
  const masked = (stream: { write(line: string): unknown }): pino.StreamEntry => ({
    level: 'trace',
    stream: { write: line => void stream.write(maskedLine(line, mask)) },
  })
  const streams = [masked(file), ...(options.stderr ? [masked(process.stderr)] : [])]
  const log = pino(
    {
      level: options.level,
      base: null,
      formatters: { log: fields => withoutSecrets(fields) as Record<string, unknown> },
    },
    pino.multistream(streams),
  )
  return {
    log,
    maskWith: given => {
      mask = given
    },
    close: () => new Promise(resolve => file.end(() => resolve())),
  }
}

/** What cannot be masked is not written, and logging never fails. */
function maskedLine(line: string, mask: (text: string) => string): string {
  try {
    return mask(line)
  } catch {
    return `${JSON.stringify({ level: 50, time: Date.now(), msg: 'A line could not be masked, and was left out' })}\n`
  }
}

/** The list of rotated files, which the library would let everybody read. */
function createPrivately(file: string): void {
  try {
    appendFileSync(file, '', { mode: 0o600 })
  } catch {
    // A log that cannot be written keeps nothing else from starting.
  }
}

const CENSOR = '[hidden]'
const HIDDEN = /^(?:authorization|cookies?|headers|value)$/i
const MAX_DEPTH = 8
const MAX_ITEMS = 100

/** Hides what is named like a secret, at any depth, and shows errors with what caused them. Numbers are no secrets. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  if (depth === MAX_DEPTH) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(item => withoutSecrets(item, depth + 1))
  const fields = value instanceof Error ? { ...fieldsOf(value), ...value } : value
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, MAX_ITEMS)
      .map(([name, field]) => [name, isSecret(name, field) ? CENSOR : withoutSecrets(field, depth + 1)]),
  )
}

function fieldsOf({ name, message, stack, cause }: Error): object {
  return { name, message, stack, ...(cause !== undefined && { cause }) }
}

function isSecret(name: string, value: unknown): boolean {
  return (
    (HIDDEN.test(name) || isSecretName(name)) &&
    value !== null &&
    (typeof value === 'string' || typeof value === 'object')
  )
}
