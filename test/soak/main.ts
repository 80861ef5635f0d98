import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { table } from '../../build/bench/table.mjs'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { startChaosModel } from '../chaos/model.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { openEngine, type ProofEngine, preparePrivateMachine } from '../parts/engine/proof-engine.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { type ProbedService, startProbedService } from '../parts/service/probed.ts'
import { randomFrom } from '../parts/value/random.ts'
import { liveOnce } from './load.ts'
import { picture } from './picture.ts'
import { type Series, trendOf, trendRow } from './series.ts'

const WORKERS = 3
const MAX_PROBLEMS = 20
const SAMPLES = 240
const MEGABYTE = 1_000_000
const ARTIFACTS = join(projectFolder, 'artifacts')

const say = (text: string) => process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' } } })
  const minutes = Number(values.minutes) || 10
  const privateFolder = process.env.ATELIER_PRIVATE_MACHINE
  const folder = privateFolder ?? mkdtempSync(join(tmpdir(), 'atelier-soak-'))
  if (privateFolder) {
    preparePrivateMachine()
    process.stdin.once('end', () => process.exit(1)).resume()
  }
  const engine = await openEngine(privateFolder)
  const model = await startChaosModel(randomFrom(1))
  const probed = await startProbedService(folder, { DOCKER_HOST: engine.host })
  const { service } = probed
  const body = { llm_model: 'scripted', llm_base_url: model.url, confirmation_mode: false }
  await service.client.call(storeSettings, { body })

  const problems: string[] = []
  const over = new AbortController()
  process.once('SIGINT', () => over.abort())
  const timer = setTimeout(() => over.abort(), minutes * 60_000)
  const isOver = () => over.signal.aborted || service.process.exitCode !== null || problems.length >= MAX_PROBLEMS
  let lives = 0
  const work = async (worker: number) => {
    for (let life = 1; !isOver(); life++) {
      await liveOnce(service, `worker${worker}0${life}`).then(
        () => lives++,
        (error: Error) => {
          if (!over.signal.aborted) problems.push(error.message)
        },
      )
    }
  }
  const series = newSeries()
  const sampling = sample({
    probed,
    engine,
    dataDir: join(folder, 'data'),
    series,
    isOver,
    everyMs: (minutes * 60_000) / SAMPLES,
  })
  await Promise.all([sampling, ...Array.from({ length: WORKERS }, (_, worker) => work(worker))])
  clearTimeout(timer)
  if (service.process.exitCode !== null) problems.push(`The service ended: ${service.stderr().slice(-2000)}`)
  await service.end('SIGTERM')
  await model.close()
  if (!privateFolder) await removeSandboxesOf(join(folder, 'data'))
  await engine.close()
  if (!privateFolder) rmSync(folder, { recursive: true, force: true })

  const trends = Object.values(series).map(trendOf)
  mkdirSync(ARTIFACTS, { recursive: true })
  writeFileSync(join(ARTIFACTS, 'soak.svg'), picture(trends))
  const rows = trends.map(trendRow)
  writeFileSync(
    join(ARTIFACTS, 'soak.json'),
    `${JSON.stringify({ minutes, lives, rows, problems, series }, null, 2)}\n`,
  )
  say(`\n${table(rows)}\n`)
  for (const problem of problems) say(`✗ ${problem}`)
  say(`${lives} conversations lived in ${minutes} min, ${problems.length} problems. The picture: artifacts/soak.svg`)
  return problems.length === 0 && lives > 0 ? 0 : 1
}

function newSeries() {
  const series = (name: string, unit: string): Series => ({ name, unit, points: [] })
  return {
    rss: series('Resident memory', 'MB'),
    heap: series('Heap in use', 'MB'),
    descriptors: series('Descriptors', 'open'),
    database: series('Database', 'MB'),
    containers: series('Containers', 'all'),
  }
}

interface Sampling {
  probed: ProbedService
  engine: ProofEngine
  dataDir: string
  series: ReturnType<typeof newSeries>
  isOver(): boolean
  everyMs: number
}

async function sample({ probed, engine, dataDir, series, isOver, everyMs }: Sampling): Promise<void> {
  const began = Date.now()
  while (!isOver()) {
    await delay(everyMs)
    const now = probed.sample()
    const containers: unknown[] = await engine.ask('GET', '/containers/json?all=1').catch(() => [])
    if (!now) continue
    const minute = (Date.now() - began) / 60_000
    series.rss.points.push([minute, now.rss / MEGABYTE])
    series.heap.points.push([minute, now.heapUsed / MEGABYTE])
    if (now.descriptors !== null) series.descriptors.points.push([minute, now.descriptors])
    series.database.points.push([minute, databaseBytes(dataDir) / MEGABYTE])
    series.containers.points.push([minute, containers.length])
  }
}

/** With its log. */
function databaseBytes(folder: string): number {
  const files = readdirSync(folder).filter(name => name.startsWith('atelier.db'))
  return files.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

process.exit(await main())
