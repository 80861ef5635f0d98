import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cacheFolder } from './paths.mjs'
import { startOf } from './process.mjs'
import { say } from './progress.mjs'

/**
 * One at a time across processes: two clones may set up at once, and share the cache folder. A lock whose owner died
 * is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const folder = cacheFolder()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.lock`)
  let told = false
  while (!take(file)) {
    if (!told) say(`… Waiting for another set-up to finish (${file})`)
    told = true
    await delay(200)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' })
    return true
  } catch {
    if (!ownerLives(file)) rmSync(file, { force: true })
    return false
  }
}

/** @param {string} file */
function ownerLives(file) {
  try {
    const [pid, start] = readFileSync(file, 'utf8').split(' ')
    // An empty file belongs to a process between creating and writing it.
    return !pid || startOf(Number(pid)) === start
  } catch {
    return false
  }
}
