import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { which } from '../machine/command.mjs'
import { cacheFolder } from '../machine/paths.mjs'
import { runsProgram } from '../machine/process.mjs'
import { SetupError } from '../machine/progress.mjs'
import { ping } from './ping.mjs'

/** The socket has one fixed place, so that the service and every clone find the same engine. */
const runFolder = '/run/atelier'
const host = `unix://${runFolder}/docker.sock`

/**
 * Starts an engine of our own that outlives this process and is reused by later runs. Needs root and `dockerd`.
 * @returns {Promise<import('./find.mjs').Engine>}
 */
export async function startOwnEngine() {
  const dockerd = which('dockerd')
  if (!dockerd) throw new SetupError('dockerd is not installed. Install the package docker.io and run this again.')
  const dataFolder = join(cacheFolder(), 'engine')
  mkdirSync(dataFolder, { recursive: true })
  mkdirSync(runFolder, { recursive: true, mode: 0o755 })
  forgetDeadEngine(runFolder)
  const logFile = join(dataFolder, 'dockerd.log')
  const log = openSync(logFile, 'a')
  const args = ['--data-root', join(dataFolder, 'data'), '--exec-root', join(runFolder, 'exec')]
  const child = spawn(dockerd, [...args, '-H', host, '--pidfile', join(runFolder, 'docker.pid')], {
    detached: true,
    stdio: ['ignore', log, log],
    // It runs itself again, twice for each container, and collects garbage each time it starts: a quarter of that time.
    env: { ...process.env, GOGC: '400' },
  })
  closeSync(log)
  child.unref()
  await answers(child, logFile)
  return { name: 'Atelier', host }
}

/**
 * Removes the process ids that a killed engine left behind. Docker takes any process that has such an id by now for the
 * engine, and does not start.
 * @param {string} folder the engine's run folder
 */
export function forgetDeadEngine(folder) {
  const files = {
    dockerd: join(folder, 'docker.pid'),
    containerd: join(folder, 'exec', 'containerd', 'containerd.pid'),
  }
  for (const [program, file] of Object.entries(files)) {
    if (!runsProgram(readId(file), program)) rmSync(file, { force: true })
  }
}

/** @param {string} file */
function readId(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/**
 * Resolves when the engine answers. After a crash it first clears away what its containers left behind, about a fifth
 * of a second for each, so that it gets minutes while it lives.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} logFile
 */
async function answers(child, logFile) {
  const deadline = Date.now() + 300_000
  while (Date.now() < deadline) {
    if (await ping(host, 1000)) return
    if (child.exitCode !== null || child.signalCode !== null) break
    await delay(100)
  }
  child.kill()
  const tail = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
  throw new SetupError(`The Docker engine did not start. Its log (${logFile}) ends with:\n${tail}`)
}
