import { ensureBrowserImage } from './browser-image.mjs'
import { runChecks } from './check.mjs'
import { ensureImage } from './image.mjs'
import { runMain, say, step } from './machine/progress.mjs'
import { ensurePackage } from './package.mjs'
import { machineEnv, setUp } from './setup.mjs'
import { sum } from './test/report.mjs'
import { isWindowTest, passes, runPass } from './test/vitest.mjs'

/** `npm test`, or for a developer `node build/test.mjs [--no-e2e] [--no-package] [PATH…]`. */
async function test() {
  const options = process.argv.slice(2).filter(argument => argument.startsWith('--'))
  const filters = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
  const windows = !options.includes('--no-e2e') && (filters.length === 0 || filters.some(isWindowTest))
  const machine = await setUp({ electron: true, tests: true })
  const browser = filters.length === 0 ? prepareBrowser(machine.engine) : undefined
  const [checks, app] = await Promise.all([
    filters.length === 0 ? runChecks() : [],
    windows && !options.includes('--no-package') ? packaged(machine.electron) : undefined,
  ])
  const env = {
    ...machineEnv(machine),
    ...(machine.electron && { ATELIER_ELECTRON_DIST: machine.electron.folder }),
    ...(app?.path && { ATELIER_TEST_APP: app.path }),
  }
  const tallies = [...checks, ...(app ? [app] : [])].map(({ passed }) => count(passed))
  for (const pass of passes(filters, env, { windows })) {
    tallies.push(await step(`Tests: ${pass.name}`, () => runPass(pass), describe))
  }
  await browser
  return sum(tallies)
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
