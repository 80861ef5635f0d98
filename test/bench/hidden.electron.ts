import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPanel } from '../parts/desktop/panel.ts'
import { startSecretService } from '../parts/secret/service.ts'
import { desktopEnv, desktopProgram } from '../parts/window/desktop-app.ts'
import { type Row, row } from './measure.ts'
import { processorMsOfTree } from './process/processor.ts'

/** Until a start is over, also on a busy machine: its garbage is collected after a minute. */
const START_MS = 90_000
const MEASURED_MS = 120_000

/** What all processes of the app cost while nobody sees it and nothing works, as a part of one processor. */
export default async function measure(): Promise<Row[]> {
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
