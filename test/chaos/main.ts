import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../../build/bench/table.mjs'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { openEngine, preparePrivateMachine } from '../parts/engine/proof-engine.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { randomFrom, randomSeed } from '../parts/value/random.ts'
import { runRound } from './chaos.ts'
import { mountDisk } from './disk.ts'
import { openEngineLink } from './engine-link.ts'
import type { World } from './faults.ts'
import { startChaosModel } from './model.ts'
import { FAULT_KINDS, type FaultKind, KINDS, plan, type Round } from './plan.ts'
import { type Recovery, reportRows } from './report.ts'
import { ServiceProcess } from './service.ts'
import { User } from './user.ts'

const USERS = 4
const MAX_PROBLEMS = 10

interface Options {
  seed: number
  minutes: number
  faults: number | undefined
  kinds: FaultKind[]
  /** The first round that is carried out, from 1. */
  from: number
}

function readOptions(isPrivate: boolean): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      faults: { type: 'string' },
      only: { type: 'string' },
      from: { type: 'string' },
    },
  })
  const only = values.only?.split(',')
  const unknown = only?.find(name => !FAULT_KINDS.some(kind => kind === name))
  if (unknown) throw new Error(`There is no fault "${unknown}". There are: ${FAULT_KINDS.join(', ')}.`)
  return {
    seed: Number(values.seed) || randomSeed(),
    minutes: Number(values.minutes) || (values.faults ? Number.POSITIVE_INFINITY : 5),
    faults: Number(values.faults) || undefined,
    from: Number(values.from) || 1,
    kinds: FAULT_KINDS.filter(kind => (only?.includes(kind) ?? true) && (isPrivate || !('needs' in KINDS[kind]))),
  }
}

interface Opened {
  world: World
  close(): Promise<void>
}

async function openWorld(seed: number, privateFolder: string | undefined, report: (problem: string) => void) {
  const random = randomFrom(seed)
  const folder = privateFolder ?? mkdtempSync(join(tmpdir(), 'atelier-chaos-'))
  if (privateFolder) preparePrivateMachine()
  const disk = privateFolder ? mountDisk(join(folder, 'disk')) : null
  const dataDir = disk ? join(disk.folder, 'data') : join(folder, 'data')
  const engine = await openEngine(privateFolder)
  const link = await openEngineLink(engine.host, join(folder, 'engine.sock'))
  const model = await startChaosModel(random)
  const options = { dataDir, folder, engineHost: link.host, modelUrl: model.url, onCrash: report }
  const service = await ServiceProcess.start(options)
  const users = Array.from(
    { length: USERS },
    (_, index) => new User({ name: `user${index}`, service, random, confirms: index === 0, onProblem: report }),
  )
  const opened: Opened = {
    world: { service, engine, link, disk, model, users },
    close: async () => {
      for (const user of users) user.close()
      await service.end('SIGTERM')
      await Promise.all([model.close(), link.close()])
      if (!privateFolder) await removeSandboxesOf(dataDir)
      await engine.close()
      if (!privateFolder) rmSync(folder, { recursive: true, force: true })
    },
  }
  return opened
}

function describe({ faults, replaced }: Round): string {
  const words = faults.map(({ kind, user, lasts }) => {
    const whose = user === null ? '' : ` (user${user})`
    return `${kind}${whose}${lasts > 0 ? ` for ${lasts} ms` : ''}`
  })
  return [...words, ...(replaced === null ? [] : [`user${replaced} begins anew`])].join(', ')
}

async function main(): Promise<number> {
  const privateFolder = process.env.ATELIER_PRIVATE_MACHINE
  const { seed, minutes, faults, kinds, from } = readOptions(privateFolder !== undefined)
  const again = `npm run chaos -- --seed ${seed}${faults ? ` --faults ${faults}` : ''}`
  const say = (text: string) => process.stdout.write(`${text}\n`)
  say(`Seed ${seed}. To run it again: ${again}`)
  const recoveries: Recovery[] = []
  const problems: string[] = []
  let now = 'at the beginning'
  const { world, close } = await openWorld(seed, privateFolder, problem => report(problem))
  const report = (problem: string) => {
    problems.push(problem)
    say(`✗ ${now}: ${problem}`)
  }
  let isOver = false
  const end = () => {
    isOver = true
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  // A private machine is left by whoever made it: its end is the end of this.
  if (privateFolder) process.stdin.once('end', () => process.exit(1)).resume()
  const began = Date.now()
  let number = 0
  for (const round of plan({ seed, users: USERS, faults, kinds })) {
    if (isOver || problems.length >= MAX_PROBLEMS || Date.now() - began > minutes * 60_000) break
    if (++number < from) continue
    now = `round ${number}, ${describe(round)}`
    const started = Date.now()
    const recovered = await runRound(round, world, report).catch((error: Error) => {
      report(`The round could not be carried out: ${error.message}`)
      isOver = true
      return []
    })
    recoveries.push(...recovered)
    say(`${recoveries.length} faults, ${((Date.now() - started) / 1000).toFixed(1)} s: ${now}`)
  }
  const seconds = (Date.now() - began) / 1000
  if (problems.length > 0) say(`The service said last:\n${world.service.logTail()}`)
  await close()
  const rows = reportRows(recoveries)
  mkdirSync(join(projectFolder, 'artifacts'), { recursive: true })
  writeFileSync(
    join(projectFolder, 'artifacts/chaos.json'),
    `${JSON.stringify({ seed, seconds, rows, problems }, null, 2)}\n`,
  )
  say(`\n${table(rows)}\n`)
  say(`${recoveries.length} faults in ${Math.round(seconds)} s, ${problems.length} problems.`)
  if (problems.length > 0) say(`To run it again: ${again}`)
  return problems.length === 0 && recoveries.length > 0 ? 0 : 1
}

process.exit(await main())
