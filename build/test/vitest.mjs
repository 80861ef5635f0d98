import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capture } from '../machine/command.mjs'
import { withDisplay } from '../machine/display.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { say } from '../machine/progress.mjs'
import { tally } from './report.mjs'

const minute = 60_000

/**
 * @typedef {{name: string, args: string[], env: NodeJS.ProcessEnv, display: boolean, limit: number}} Pass `limit` in minutes
 */

/**
 * The service and its parts share the cores; each test of the window has the machine to itself.
 * @param {readonly string[]} filters paths given on the command line; none means everything
 * @param {NodeJS.ProcessEnv} env
 * @param {{windows: boolean}} options
 * @returns {Pass[]}
 */
export function passes(filters, env, { windows }) {
  const windowFilters = filters.filter(isWindowTest)
  const otherFilters = filters.filter(filter => !isWindowTest(filter))
  const all = filters.length === 0
  /** @type {Pass[]} */
  const list = []
  if (all || otherFilters.length > 0) {
    list.push({ name: 'service', args: ['--exclude=test/e2e/**', ...otherFilters], env, display: false, limit: 40 })
  }
  if (windows && (all || windowFilters.length > 0)) {
    const args = ['--no-file-parallelism', ...(all ? ['test/e2e'] : windowFilters)]
    list.push({ name: 'windows', args, env, display: true, limit: 25 })
  }
  return list
}

/** @param {string} path */
export function isWindowTest(path) {
  return path.replace(/^\.?\//, '').startsWith('test/e2e')
}

/**
 * @param {Pass} pass
 * @returns {Promise<import('./report.mjs').Tally>}
 */
export async function runPass({ name, args, env, display, limit }) {
  const report = join(projectFolder, 'artifacts', `tests-${name}.json`)
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const vitest = [
    join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=build/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]
  const work = (/** @type {NodeJS.ProcessEnv} */ environment) =>
    capture(process.execPath, vitest, { cwd: projectFolder, env: environment, timeout: limit * minute })
  const plain = { ...env, NO_COLOR: '1' }
  try {
    const { code, output } = await (display ? withDisplay(plain, work) : work(plain))
    if (output) say(output)
    return tally(report, code)
  } catch (error) {
    say(`✗ The ${name} tests could not run. ${error instanceof Error ? error.message : error}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
