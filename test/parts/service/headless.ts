import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { type Client, createClient } from '../../../server/client/client.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import { projectFolder } from '../project-folder.ts'
import { BESIDE_OTHERS } from './environment.ts'

type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>

export interface Headless {
  url: string
  gatewayUrl: string
  key: string
  client: Client
  dataDir: string
  process: ServiceProcess
  /** Everything on stdout and stderr so far. */
  stdout: () => string
  stderr: () => string
  /** Sends the signal and resolves with how the process ended and after how many ms. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }>
}

/** The bundled headless service as a process of its own, as `npm run serve` runs it. The signal kills it. */
export async function startHeadless(
  options: {
    dataDir?: string
    key?: string
    env?: Record<string, string>
    /** A module that is loaded before the service, with a channel to this process. */
    preload?: string
    signal?: AbortSignal
  } = {},
): Promise<Headless> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'atelier-headless-'))
  const key = options.key ?? randomToken(32)
  const preload = options.preload ? ['--import', pathToFileURL(options.preload).href] : []
  const child = spawn(process.execPath, [...preload, join(projectFolder, 'out/server/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe', ...(options.preload ? (['ipc'] as const) : [])],
    ...(options.signal && { signal: options.signal, killSignal: 'SIGKILL' }),
    env: {
      ...process.env,
      ATELIER_DATA_DIR: dataDir,
      ...BESIDE_OTHERS,
      ATELIER_VAULT: 'session',
      SESSION_API_KEY: key,
      ...options.env,
    },
    // The types know no fourth stream beside three that are named.
  }) as ServiceProcess
  // Told by its end as well.
  child.on('error', () => {})
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    output.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    output.stderr += chunk
  })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
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
