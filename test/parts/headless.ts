import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Client, createClient } from '../../renderer/api/client.ts'
import { randomToken } from '../../server/ids.ts'

export interface Headless {
  url: string
  gatewayUrl: string
  key: string
  client: Client
  dataDir: string
  process: ChildProcessByStdio<null, Readable, Readable>
  /** Everything on stdout and stderr so far. */
  stdout: () => string
  stderr: () => string
  /** Sends the signal and resolves with how the process ended and after how many ms. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }>
}

/** The bundled headless service as a process of its own, as `npm run serve` runs it. */
export async function startHeadless(
  options: { dataDir?: string; key?: string; env?: Record<string, string> } = {},
): Promise<Headless> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'atelier-headless-'))
  const key = options.key ?? randomToken(32)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../out/server/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ATELIER_DATA_DIR: dataDir,
      ATELIER_PORT: '0',
      ATELIER_GATEWAY_PORT: '0',
      ATELIER_VAULT: 'session',
      SESSION_API_KEY: key,
      ...options.env,
    },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    output.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    output.stderr += chunk
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const ready = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(String(line)))
  const failed = exited.then(code => {
    throw new Error(`The service ended with ${code}: ${output.stderr}`)
  })
  failed.catch(() => {})
  const { url, gateway_url } = await Promise.race([ready, failed])
  return {
    url,
    gatewayUrl: gateway_url,
    key,
    client: createClient({ url, key, validate: true }),
    dataDir,
    process: child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    end: async signal => {
      const began = Date.now()
      child.kill(signal)
      return { code: await exited, ms: Date.now() - began }
    },
  }
}
