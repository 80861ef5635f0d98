import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A hash of the names, sizes and times of files: cheap enough for every start.
 * @param {string} root
 * @param {readonly string[]} inputs files or folders under root; what is absent counts as absent
 */
export function fingerprint(root, inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) {
    for (const file of filesIn(join(root, input))) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file.slice(root.length)}\0${size}\0${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]} in a stable order
 */
function filesIn(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

/** @typedef {{stamp: string, print: string, work: () => Promise<void>}} Job `stamp` is a file */

/**
 * Does the work unless the stamp says that it was done for these very inputs.
 * @param {Job} job
 */
export async function whenStale(job) {
  if (!isStale(job)) return
  await job.work()
  mkdirSync(dirname(job.stamp), { recursive: true })
  writeFileSync(job.stamp, job.print)
}

/** @param {Job} job */
export function isStale({ stamp, print }) {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== print
}
