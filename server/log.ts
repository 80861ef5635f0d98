import { mkdirSync } from 'node:fs'
import pino from 'pino'
import { createStream } from 'rotating-file-stream'

export type Log = pino.Logger

const REDACTED = [
  'api_key',
  '*.api_key',
  'apiKey',
  '*.apiKey',
  'llm_api_key',
  '*.llm_api_key',
  'llm_fallback_api_key',
  '*.llm_fallback_api_key',
  'session_api_key',
  '*.session_api_key',
  'token',
  '*.token',
  'value',
  '*.value',
  'secret',
  '*.secret',
  'authorization',
  '*.authorization',
  'headers',
]

/** Logs go to stderr and to a file that rotates at 5 MB, five kept. stdout stays free for the ready line. */
export function createLog(options: { folder: string; level: pino.LevelWithSilent; stderr: boolean }): {
  log: Log
  close: () => Promise<void>
} {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const file = createStream('atelier.log', { path: options.folder, size: '5M', maxFiles: 5 })
  file.on('error', () => {})
  const streams: pino.StreamEntry[] = [{ level: 'trace', stream: file }]
  if (options.stderr) streams.push({ level: 'trace', stream: process.stderr })
  const log = pino(
    { level: options.level, redact: { paths: REDACTED, censor: '[hidden]' }, base: null },
    pino.multistream(streams),
  )
  return { log, close: () => new Promise(resolve => file.end(() => resolve())) }
}
