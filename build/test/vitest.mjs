import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capture } from '../machine/command.mjs'
import { withDisplay } from '../machine/display.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { say } from '../machine/progress.mjs'
import { tally } from './report.mjs'

/** How many windows are tested side by side, each on a display of its own: only one window of a display has the keyboard. */
export const WINDOWS = 2

/** How many minutes a pass may take. */
const LIMITS = { unit: 10, bounds: 15, engine: 70, window: 70 }

/** @param {import('./kinds.mjs').Kind} kind */
export function reportOf(kind) {
  return join(projectFolder, 'artifacts', `tests-${kind}.json`)
}

/**
 * Runs the tests of one kind.
 * @param {object} pass
 * @param {import('./kinds.mjs').Kind} pass.kind
 * @param {readonly string[]} pass.paths none means all of that kind
 * @param {NodeJS.ProcessEnv} pass.env
 * @param {readonly string[]} [pass.prefix] what runs the command
 * @returns {Promise<import('./report.mjs').Tally>}
 */
export async function runPass({ kind, paths, env, prefix = [] }) {
  const report = reportOf(kind)
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const [program = '', ...args] = [
    ...prefix,
    process.execPath,
    join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=build/vitest.config.ts',
    `--project=${kind}*`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...paths,
  ]
  const work = (/** @type {NodeJS.ProcessEnv} */ environment) =>
    capture(program, args, { cwd: projectFolder, env: environment, timeout: LIMITS[kind] * 60_000 })
  const plain = { ...env, NO_COLOR: '1' }
  try {
    const { code, output } = await (kind === 'window' ? withDisplays(plain, work) : work(plain))
    if (output) say(output)
    return tally(report, code)
  } catch (error) {
    say(`✗ The ${kind} tests could not run. ${error instanceof Error ? error.message : error}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/**
 * @template T
 * @param {NodeJS.ProcessEnv} env
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work gets the names of the displays as `ATELIER_TEST_DISPLAYS`
 * @param {readonly string[]} displays those that there are already
 * @returns {Promise<T>}
 */
async function withDisplays(env, work, displays = []) {
  if (process.platform !== 'linux') return work(env)
  if (displays.length === WINDOWS) return work({ ...env, ATELIER_TEST_DISPLAYS: displays.join(',') })
  return withDisplay(env, ({ DISPLAY = '' }) => withDisplays(env, work, [...displays, DISPLAY]))
}
