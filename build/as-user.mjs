import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { capture, run } from './machine/command.mjs'

const user = 'atelier-test'
const home = `/var/tmp/${user}`

/**
 * The unprivileged user that tests run the packaged app as: made once, on Linux, by root. It may use the engine (group
 * docker) and owns its home folder, which is emptied by nobody.
 * @returns {Promise<{name: string, uid: number, gid: number, home: string}>}
 */
export async function ensureTestUser() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('Only root on Linux can make a test user.')
  if ((await capture('id', [user], { quiet: true })).code !== 0) {
    await run('useradd', ['--create-home', '--home-dir', home, '--shell', '/bin/bash', user], { quiet: true })
  }
  if ((await capture('getent', ['group', 'docker'], { quiet: true })).code === 0) {
    await run('usermod', ['--append', '--groups', 'docker', user], { quiet: true })
  }
  return { name: user, uid: await id('-u'), gid: await id('-g'), home }
}

/** @param {'-u' | '-g'} which */
async function id(which) {
  return Number((await capture('id', [which, user], { quiet: true })).stdout)
}

/**
 * A command line that runs another one as that user, with its own home and exactly the environment given.
 * @param {string} command an absolute path, readable to everyone (see `readableCopy`)
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {{command: string, args: string[]}}
 */
export function asUser(command, args, env = {}) {
  const whole = { HOME: home, USER: user, LOGNAME: user, PATH: '/usr/local/bin:/usr/bin:/bin', ...env }
  const assignments = Object.entries(whole).map(([name, value]) => `${name}=${value}`)
  return { command: 'runuser', args: ['-u', user, '--', 'env', '-i', ...assignments, command, ...args] }
}

/**
 * The folder itself when everyone can reach it, else a copy that everyone can.
 * @param {string} folder
 * @returns {string}
 */
export function readableCopy(folder) {
  if (isReachable(folder)) return folder
  const { mtimeMs } = statSync(folder)
  const print = createHash('sha256').update(`${folder} ${mtimeMs}`).digest('hex').slice(0, 12)
  const copy = join('/var/tmp', `atelier-${basename(folder)}-${print}`)
  if (!existsSync(copy)) {
    rmSync(`${copy}.partial`, { recursive: true, force: true })
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  }
  return copy
}

/** @param {string} folder */
function isReachable(folder) {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false
    if (path === dirname(path)) return true
  }
}
