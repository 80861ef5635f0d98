import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startSecretService } from '../parts/secret/service.ts'
import { BESIDE_OTHERS } from '../parts/service/environment.ts'
import { type Launch, type Launched, launch } from './process/launch.ts'
import { compare, interleave, type Row } from './process/measure.ts'
import { type Memory, memoryOfTree } from './process/memory.ts'

/** The service has answered, and the first page stands where the mark stood. */
const USABLE = "document.querySelector('h1, nav') !== null"
const FAILED = "document.body.innerText.includes('could not reach its service')"

/** The packaged app against an empty window of the same runtime: how soon it is there, and what it holds when idle. */
export default async function measure(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-window-'))
  const keyring = await startSecretService()
  try {
    const env = { ...keyring.env, DISPLAY: process.env.DISPLAY }
    const atelier = packagedApp(join(folder, 'atelier'), env)
    const bare = bareApp(join(folder, 'bare'), env)
    return [...(await measureOpening(atelier, bare)), ...(await measureIdle(atelier, bare))]
  } finally {
    await keyring.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureOpening(atelier: Launch, bare: Launch): Promise<Row[]> {
  const usable: number[] = []
  const open = async (window: Launched) => {
    usable.push(await untilUsable(window))
    return window.firstPaint
  }
  const runs = 9
  const paint = await interleave(
    { atelier: () => withWindow(atelier, open), bare: () => withWindow(bare, async window => window.firstPaint) },
    { warmUps: 2, runs },
  )
  return [
    compare('Window: start of the process to first paint', paint, { aim: { kind: 'ratio', atMost: 1.5 } }),
    compare('Window: start of the process to first page', { atelier: usable.slice(-runs), bare: paint.bare }),
  ]
}

async function measureIdle(atelier: Launch, bare: Launch): Promise<Row[]> {
  const memories: Record<'atelier' | 'bare', Memory[]> = { atelier: [], bare: [] }
  const idle = async (side: 'atelier' | 'bare', window: Launched) => {
    if (side === 'atelier') await untilUsable(window)
    const memory = await settledMemory(window)
    memories[side].push(memory)
    return memory.residentMb
  }
  const resident = await interleave(
    {
      atelier: () => withWindow(atelier, window => idle('atelier', window)),
      bare: () => withWindow(bare, window => idle('bare', window)),
    },
    { warmUps: 0, runs: 3 },
  )
  const proportional = {
    atelier: memories.atelier.map(memory => memory.proportionalMb),
    bare: memories.bare.map(memory => memory.proportionalMb),
  }
  return [
    compare('Idle memory: resident, all processes', resident, { unit: 'MB' }),
    compare('Idle memory: shared pages counted once', proportional, { unit: 'MB' }),
  ]
}

async function untilUsable(window: Launched): Promise<number> {
  const time = await window.until(USABLE)
  if (await window.evaluate(FAILED)) throw new Error('The window opened without its service.')
  return time
}

async function withWindow(app: Launch, work: (window: Launched) => Promise<number>): Promise<number> {
  const window = await launch(app)
  try {
    return await work(window)
  } finally {
    await window.end()
  }
}

/** Once a second changes it by less than 1 %, the start is over. */
async function settledMemory({ child }: Launched): Promise<Memory> {
  if (child.pid === undefined) throw new Error('The app has ended.')
  let before = memoryOfTree(child.pid)
  for (let seconds = 0; seconds < 20; seconds++) {
    await delay(1000)
    const now = memoryOfTree(child.pid)
    if (seconds >= 3 && Math.abs(now.residentMb - before.residentMb) < before.residentMb / 100) return now
    before = now
  }
  return before
}

function packagedApp(dataDir: string, env: NodeJS.ProcessEnv): Launch {
  const program = process.env.ATELIER_TEST_APP
  if (!program) throw new Error('ATELIER_TEST_APP is not set. Run the benchmarks with `npm run bench`.')
  return {
    program,
    args: sandboxFlags(),
    env: { ...env, ATELIER_DATA_DIR: dataDir, ...BESIDE_OTHERS },
  }
}

/** A window with a line of text, made the way that Electron's own first lesson shows. */
function bareApp(folder: string, env: NodeJS.ProcessEnv): Launch {
  const dist = process.env.ATELIER_ELECTRON_DIST
  if (!dist) throw new Error('ATELIER_ELECTRON_DIST is not set. Run the benchmarks with `npm run bench`.')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', version: '1.0.0', main: 'main.cjs' }))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Bare</title><h1>Bare</h1>')
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron')
app.setPath('userData', ${JSON.stringify(join(folder, 'window'))})
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false })
  window.once('ready-to-show', () => window.show())
  window.loadFile(${JSON.stringify(join(folder, 'index.html'))})
})`,
  )
  return { program: join(dist, 'electron'), args: [...sandboxFlags(), folder], env }
}

/** Chromium's own sandbox refuses to run as root. */
function sandboxFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
