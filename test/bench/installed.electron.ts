import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { startPanel } from '../parts/desktop/panel.ts'
import { startSecretService } from '../parts/secret/service.ts'
import { desktopEnv, desktopProgram } from '../parts/window/desktop-app.ts'
import { type Row, row } from './process/measure.ts'
import { processorMsOfTree } from './process/processor.ts'

/** In the packaged app. It is compressed already. */
const IMAGE = 'resources/sandbox-image.tar.gz'

/** Until a start is over, also on a busy machine: its garbage is collected after a minute. */
const START_MS = 90_000
const MEASURED_MS = 120_000

/** What the app takes of a computer that it is only installed on. */
export default async function measure(): Promise<Row[]> {
  return [...(await measureSizes()), ...(await measureHidden())]
}

/** What a person downloads: the app as its archive packs it, and the image of sandboxes inside. */
async function measureSizes(): Promise<Row[]> {
  const app = dirname(desktopProgram().path)
  const sizes = [
    { what: 'Size: the app, compressed, without the image', bytes: await compressedBytes(app), atMost: 130 },
    { what: 'Size: the image of sandboxes', bytes: statSync(join(app, IMAGE)).size, atMost: 80 },
  ]
  return sizes.map(({ what, bytes, atMost }) =>
    row({ what, unit: 'MB', atelier: bytes / 1e6, bare: null, runs: 1, aim: { kind: 'value', atMost } }),
  )
}

/** What all processes of the app cost while nobody sees it and nothing works, as a part of one processor. */
async function measureHidden(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-hidden-'))
  const keyring = await startSecretService()
  const panel = await startPanel(keyring.env.DBUS_SESSION_BUS_ADDRESS ?? '')
  const { path, args } = desktopProgram()
  const child = spawn(path, [...args, '--hidden'], { env: desktopEnv(keyring.env, folder), stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    await delay(START_MS)
    const before = processorMsOfTree(child.pid ?? 0)
    await delay(MEASURED_MS)
    const used = processorMsOfTree(child.pid ?? 0) - before
    const percent = (used / MEASURED_MS) * 100
    const aim = { kind: 'value', atMost: 0.3 } as const
    return [
      row({ what: 'Processor: hidden and idle, all processes', unit: '%', atelier: percent, bare: null, runs: 1, aim }),
    ]
  } finally {
    child.kill()
    await ended
    panel.close()
    await keyring.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function compressedBytes(folder: string): Promise<number> {
  const tar = spawn('tar', ['-C', folder, '--exclude', `./${IMAGE}`, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(tar, 'close')
  let bytes = 0
  for await (const chunk of tar.stdout.pipe(createGzip({ level: 9 }))) bytes += chunk.length
  const [code] = await closed
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
  return bytes
}
