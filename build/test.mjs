import { ensureBrowserImage } from './browser-image.mjs'
import { runChecks } from './check.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureImage } from './image.mjs'
import { projectFolder } from './machine/paths.mjs'
import { runMain, SetupError, say, step } from './machine/progress.mjs'
import { ensurePackage } from './package.mjs'
import { machineEnv, setUp } from './setup.mjs'
import { withInstalled } from './test/installed.mjs'
import { KINDS, testFiles } from './test/kinds.mjs'
import { failures, sum } from './test/report.mjs'
import { reportOf, runPass } from './test/vitest.mjs'

/**
 * `npm test`, or `npm test -- [--no-package | --installed] [unit | bounds | engine | window | PATH]…` for the tests of those kinds and
 * paths alone, with what they need and nothing else. With `--installed` the window is that of the app as its Debian package installs it.
 */
async function test() {
  const options = process.argv.slice(2).filter(argument => argument.startsWith('--'))
  const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
  const isAll = filters.length === 0
  const kinds = kindsOf(filters)
  const needsMachine = kinds.some(kind => kind === 'engine' || kind === 'window')
  const { env, tallies } = needsMachine
    ? await prepare({ isAll, windows: kinds.includes('window'), isPackaged: !options.includes('--no-package') })
    : await prepareNothing()
  const paths = filters.filter(filter => !isKind(filter))
  const run = (/** @type {import('./test/kinds.mjs').Kind} */ kind) => {
    const app = env.ATELIER_TEST_APP
    if (kind !== 'window' || !options.includes('--installed') || !app) return runPass({ kind, paths, env })
    return withInstalled(app, ({ program, prefix }) =>
      runPass({ kind, paths, env: { ...env, ATELIER_TEST_APP: program }, prefix }),
    )
  }
  // One after the other: side by side, each test takes twice as long, and the whole no less.
  for (const kind of kinds) tallies.push(await step(`Tests: ${kind}`, () => run(kind), describe))
  const failed = kinds.flatMap(kind => failures(reportOf(kind), projectFolder))
  if (failed.length > 0) say(['What failed:', ...failed].join('\n  '))
  return sum(tallies)
}

/**
 * @param {readonly string[]} filters kinds and parts of paths
 * @returns {import('./test/kinds.mjs').Kind[]} the kinds of what they select
 */
function kindsOf(filters) {
  const named = filters.filter(isKind)
  const paths = filters.filter(filter => !isKind(filter)).map(path => path.replace(/^\.\//, ''))
  const files = testFiles(projectFolder).filter(
    ({ file, kind }) =>
      (named.length === 0 || named.includes(kind)) && (paths.length === 0 || paths.some(path => file.includes(path))),
  )
  if (files.length === 0) throw new SetupError(`No test file matches ${filters.join(' ')}.`)
  return KINDS.filter(kind => files.some(file => file.kind === kind))
}

/**
 * @param {string} filter
 * @returns {filter is import('./test/kinds.mjs').Kind}
 */
function isKind(filter) {
  return KINDS.some(kind => kind === filter)
}

/** @returns {Promise<{env: NodeJS.ProcessEnv, tallies: import('./test/report.mjs').Tally[]}>} */
async function prepareNothing() {
  await ensureDependencies()
  return { env: process.env, tallies: [] }
}

/**
 * The engine and, where they are asked for, Electron and the packaged app. A whole run has its checks meanwhile.
 * @param {{isAll: boolean, windows: boolean, isPackaged: boolean}} needs
 */
async function prepare({ isAll, windows, isPackaged }) {
  const machine = await setUp({ electron: windows, tests: true })
  const [checks, app] = await Promise.all([
    isAll ? runChecks() : [],
    windows && isPackaged ? packaged(machine.electron) : undefined,
    isAll ? prepareBrowser(machine.engine) : undefined,
  ])
  const env = {
    ...machineEnv(machine),
    ...(machine.electron && { ATELIER_ELECTRON_DIST: machine.electron.folder }),
    ...(app?.path && { ATELIER_TEST_APP: app.path }),
  }
  return { env, tallies: [...checks, ...(app ? [app] : [])].map(({ passed }) => count(passed)) }
}

/**
 * Downloads while the checks use the processors. Where it cannot be had, the tests that need it say so.
 * @param {import('./engine/find.mjs').Engine | undefined} engine
 */
async function prepareBrowser(engine) {
  try {
    const image = await ensureImage(engine)
    if (engine && image) await ensureBrowserImage(engine.host, image.reference)
  } catch (error) {
    say(`! The image with a browser could not be made. ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * A package that cannot be made is one failure, and the other tests still run.
 * @param {import('./electron.mjs').ElectronDist | undefined} electron
 */
async function packaged(electron) {
  try {
    return { passed: true, path: electron && (await ensurePackage(electron)) }
  } catch (error) {
    say(`✗ The app could not be packaged. ${error instanceof Error ? error.message : error}`)
    return { passed: false }
  }
}

/** @param {import('./test/report.mjs').Tally} tally */
function describe({ passed, failed }) {
  const text = `${passed} passed, ${failed} failed`
  return failed > 0 ? { failed: text } : text
}

/** @param {boolean} passed */
function count(passed) {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
}

let result = { passed: 0, failed: 1, skipped: 0 }
await runMain(async () => {
  result = await test()
})
if (result.skipped > 0) process.stdout.write(`${result.skipped} skipped\n`)
process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`)
process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1
