import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capture } from '../machine/command.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { runMain, say } from '../machine/progress.mjs'
import { failures, tally } from './report.mjs'

/**
 * Runs tests that `npm test` leaves out, by a configuration of their own: `build/vitest-NAME.config.ts`. The arguments of the command
 * choose files.
 * @param {{name: string, env: NodeJS.ProcessEnv, limitMs: number}} run
 * @returns {Promise<import('./report.mjs').Tally>}
 */
export async function runApart({ name, env, limitMs }) {
  const report = join(projectFolder, 'artifacts', `tests-${name}.json`)
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const vitest = [
    join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    `--config=build/vitest-${name}.config.ts`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ]
  const { code } = await capture(process.execPath, vitest, {
    cwd: projectFolder,
    env: { ...process.env, ...env, NO_COLOR: '1' },
    timeout: limitMs,
  })
  const failed = failures(report, projectFolder)
  if (failed.length > 0) say(['What failed:', ...failed].join('\n  '))
  return tally(report, code)
}

/**
 * Such a command as a whole, with its exit code.
 * @param {() => Promise<import('./report.mjs').Tally>} test
 */
export async function endWith(test) {
  let result = { passed: 0, failed: 1, skipped: 0 }
  await runMain(async () => {
    result = await test()
  })
  process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`)
  process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1
}
