import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Tally
 * @typedef {{name: string, status: string, message?: string, assertionResults: {status: string, fullName?: string}[]}} FileResult
 */

/**
 * What a run of vitest came to. What no test can report still counts as failed: a file that could not be loaded, an
 * error outside every test, a run that wrote no report, a run without tests.
 * @param {string} file vitest's JSON report
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tally(file, exitCode) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  /** @type {FileResult[]} */
  const files = JSON.parse(readFileSync(file, 'utf8')).testResults
  const statuses = files.flatMap(result => result.assertionResults.map(test => test.status))
  const passed = statuses.filter(status => status === 'passed').length
  const brokenFiles = files.filter(
    result => result.status === 'failed' && result.assertionResults.every(test => test.status !== 'failed'),
  ).length
  const failed = statuses.filter(status => status === 'failed').length + brokenFiles
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: unexplained ? 1 : failed, skipped: statuses.length - passed - (failed - brokenFiles) }
}

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  return tallies.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}
