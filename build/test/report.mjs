import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Tally
 * @typedef {{status: string, fullName?: string, failureMessages?: string[]}} TestResult
 * @typedef {{name: string, status: string, message?: string, assertionResults: TestResult[]}} FileResult
 */

/** How many characters of a failure's message are worth a line of the summary. */
const MAX_MESSAGE = 200

/**
 * What a run of vitest came to. What no test can report still counts as failed: a file that could not be loaded, an
 * error outside every test, a run that wrote no report, a run without tests.
 * @param {string} file vitest's JSON report
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tally(file, exitCode) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const files = results(file)
  const statuses = files.flatMap(result => result.assertionResults.map(test => test.status))
  const passed = statuses.filter(status => status === 'passed').length
  const brokenFiles = files.filter(isBroken).length
  const failed = statuses.filter(status => status === 'failed').length + brokenFiles
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: unexplained ? 1 : failed, skipped: statuses.length - passed - (failed - brokenFiles) }
}

/**
 * What failed, one line each: file, test, and the first line of what it said.
 * @param {string} file vitest's JSON report
 * @param {string} root folder that the names of files are relative to
 * @returns {string[]}
 */
export function failures(file, root) {
  if (!existsSync(file)) return []
  return results(file).flatMap(result => {
    const name = relative(root, result.name)
    const tests = result.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name} > ${fullName}: ${firstLine(failureMessages?.[0])}`)
    return isBroken(result) ? [`${name}: ${firstLine(result.message)}`] : tests
  })
}

/**
 * @param {string} file
 * @returns {FileResult[]}
 */
function results(file) {
  return JSON.parse(readFileSync(file, 'utf8')).testResults
}

/**
 * A file that failed outside its tests.
 * @param {FileResult} result
 */
function isBroken(result) {
  return result.status === 'failed' && result.assertionResults.every(test => test.status !== 'failed')
}

/** @param {string | undefined} message */
function firstLine(message = '') {
  const line = message.split('\n').find(each => each.trim() !== '') ?? 'no message'
  return line.trim().slice(0, MAX_MESSAGE)
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
