import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { table } from '../../build/bench/table.mjs'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { openEngine, preparePrivateMachine } from '../parts/engine/proof-engine.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { filesWith } from '../parts/secret/kept-secrets.ts'
import { type ProbedService, type ProcessSample, startProbedService } from '../parts/service/probed.ts'
import { startUnreliableModel } from '../parts/unreliable-model.ts'
import { randomFrom, randomSeed } from '../parts/value/random.ts'
import { Attack } from './attack.ts'
import { MARK } from './canaries.ts'
import { Findings } from './findings.ts'
import { createFixtures, type FuzzFixtures, sweep } from './fixtures.ts'
import { fuzzTerminal } from './terminal.ts'

const ARTIFACTS = join(projectFolder, 'artifacts')
const WORKERS = 8
const SWEEP_MS = 15_000
/** Of the time: the terminal is fuzzed by itself. */
const TERMINAL_SHARE = 0.15
/** A service that is busy for longer at once serves nobody meanwhile. */
const MAX_DELAY_MS = 2000
const NOTABLE_DELAY_MS = 400
const ANSWER_MS = 20_000
const ENDING_MS = 30_000

const say = (text: string) => process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string' } } })
  const seed = Number(values.seed) || randomSeed()
  const minutes = Number(values.minutes) || 2
  const again = `npm run fuzz -- --seed ${seed} --minutes ${minutes}`
  say(`Seed ${seed}. To run it again: ${again}`)
  const findings = new Findings(say)
  const { folder, probed, modelUrl, close } = await open()
  const { service } = probed
  const fixtures = await createFixtures(service, modelUrl)
  const attack = await Attack.prepare(service, fixtures, findings)

  const end = Date.now() + minutes * 60_000 * (1 - TERMINAL_SHARE)
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort())
  const isOver = () => Date.now() > end || stopped.signal.aborted || isDown(probed)
  const work = async (worker: number) => {
    // Each worker has numbers of its own, so that the pace of the others does not change what it sends.
    const random = randomFrom(seed + worker)
    while (!isOver()) await attack.next(random)
  }
  const keepUp = async () => {
    let longest = 0
    for (let sweptAt = Date.now(); !isOver(); await delay(500)) {
      const max = probed.sample()?.delay.max ?? 0
      if (max > Math.max(longest, NOTABLE_DELAY_MS))
        say(`! The event loop was busy for ${Math.round(max)} ms. Just asked: ${attack.latest}`)
      longest = Math.max(longest, max)
      if (Date.now() - sweptAt < SWEEP_MS) continue
      sweptAt = Date.now()
      await sweep(service, fixtures, modelUrl).catch(error => say(`! ${error.message}`))
    }
  }
  await Promise.all([...Array.from({ length: WORKERS }, (_, worker) => work(worker)), keepUp()])

  const terminal = await fuzzTerminal({ seed, milliseconds: minutes * 60_000 * TERMINAL_SHARE })
  for (const { what, input } of terminal.failures) findings.add(`Terminal output: ${what}`, `in base64: ${input}`)
  say(
    `${terminal.inputs} terminal outputs, ${terminal.bytes} bytes, the slowest in ${Math.round(terminal.slowestMs)} ms.`,
  )

  await lookAtService(probed, fixtures, attack, findings)
  const ended = await Promise.race([service.end('SIGTERM'), delay(ENDING_MS, null)])
  if (!ended) {
    findings.add(`The service did not end within ${ENDING_MS / 1000} s of being told to`, service.stderr().slice(-3000))
    await service.end('SIGKILL')
  }
  findings.lookForSecrets(service.stderr() + service.stdout(), "the service's log", '')
  for (const file of filesWith(join(folder, 'data'), MARK)) findings.add('A file holds a secret in clear', file)
  await close()
  report({ seed, minutes, again }, attack, findings, probed.sample())
  return findings.count === 0 && attack.counts.requests > 0 ? 0 : 1
}

interface Opened {
  folder: string
  probed: ProbedService
  modelUrl: string
  close(): Promise<void>
}

async function open(): Promise<Opened> {
  const privateFolder = process.env.ATELIER_PRIVATE_MACHINE
  const folder = privateFolder ?? mkdtempSync(join(tmpdir(), 'atelier-fuzz-'))
  if (privateFolder) preparePrivateMachine()
  const engine = await openEngine(privateFolder)
  const { model } = await startUnreliableModel()
  const probed = await startProbedService(folder, { DOCKER_HOST: engine.host })
  return {
    folder,
    probed,
    modelUrl: model.url.openai,
    close: async () => {
      await model.close()
      if (!privateFolder) await removeSandboxesOf(join(folder, 'data'))
      await engine.close()
      if (!privateFolder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isDown({ service }: ProbedService): boolean {
  return service.process.exitCode !== null || service.process.signalCode !== null
}

/** Whether it lives, has answered others meanwhile, and has stored no secret in a log. */
async function lookAtService(
  probed: ProbedService,
  { known }: FuzzFixtures,
  attack: Attack,
  findings: Findings,
): Promise<void> {
  const { service } = probed
  const longest = probed.sample()?.delay.max ?? 0
  if (longest > MAX_DELAY_MS) findings.add('The event loop stood still', `for ${Math.round(longest)} ms at the longest`)
  if (isDown(probed)) {
    const how = service.process.exitCode ?? service.process.signalCode
    return findings.add(
      `The service ended with ${how}`,
      `${service.stderr().slice(-3000)}\n  just asked: ${attack.latest}`,
    )
  }
  const alive = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  if (!alive?.ok) findings.add('/health does not answer at the end', `just asked: ${attack.latest}`)
  for (const path of ['trajectory', 'events?limit=100']) {
    const address = `${service.url}/api/conversations/${known.conversation}/${path}`
    const signal = AbortSignal.timeout(ANSWER_MS)
    const headers = { 'X-Session-API-Key': service.key }
    const reply = await fetch(address, { headers, signal }).catch(() => null)
    if (!reply) findings.add(`${path} of the conversation is not answered at the end`, '')
    else findings.lookForSecrets(await reply.text(), `the ${path} of a conversation`, '')
  }
}

function report(
  { seed, minutes, again }: { seed: number; minutes: number; again: string },
  { counts, statuses, unanswered }: Attack,
  findings: Findings,
  last: ProcessSample | null,
): void {
  const answered = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => ({ status, times }))
  const silent = [...unanswered].sort(([, one], [, other]) => other - one).slice(0, 10)
  const delays = Object.entries(last?.delay ?? {}).map(([name, milliseconds]) => [name, Math.round(milliseconds)])
  const delay = Object.fromEntries(delays)
  const result = { seed, minutes, counts, statuses: answered, unanswered: silent, delay, findings: findings.list() }
  mkdirSync(ARTIFACTS, { recursive: true })
  writeFileSync(join(ARTIFACTS, 'fuzz.json'), `${JSON.stringify(result, null, 2)}\n`)
  const sum = Object.values(counts).reduce((all, count) => all + count, 0)
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  say(`\n${table(answered)}\n\n${sum} attacks in ${minutes} min (${parts.join(', ')}).`)
  if (silent.length > 0)
    say(`Without an answer in time: ${silent.map(([name, times]) => `${name} (${times})`).join(', ')}.`)
  say(`Event-loop delay in ms: ${JSON.stringify(delay)}.`)
  say(`${findings.count} findings.${findings.count > 0 ? ` To run it again: ${again}` : ''}`)
}

// A private machine is left by whoever made it: its end is the end of this.
if (process.env.ATELIER_PRIVATE_MACHINE) process.stdin.once('end', () => process.exit(1)).resume()
process.exit(await main())
