import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { which } from './command.mjs'
import { whenOrphaned } from './foreground.mjs'
import { cacheFolder } from './paths.mjs'
import { startOf } from './process.mjs'

/**
 * A part of this machine with processes, mounts and a network of its own. When its first process ends, however it ends,
 * the kernel ends every other one and removes the mounts, bridges and firewall rules: nothing can be left behind but
 * one folder and empty control groups, which carry this process's id and which the next run removes.
 */
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
const CONTROL_GROUPS = '/sys/fs/cgroup'
const PREFIX = 'atelier-private-'

/**
 * Unlike Node, the shell waits for orphans, so that none stays as a zombie. A process that is frozen cannot be killed,
 * and a machine with one would never end.
 */
const FIRST_PROCESS = `"$@"; code=$?
for state in ${CONTROL_GROUPS}/freezer/$ATELIER_PRIVATE_CONTROL_GROUP/*/freezer.state; do
  [ -e "$state" ] && echo THAWED > "$state"
done
exit $code`

/** @returns {boolean} whether this process may make one, and an engine can run in it */
export function canMakePrivateMachine() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !which('unshare') || !which('dockerd')) return false
  return spawnSync('unshare', [...NAMESPACES, 'true'], { stdio: 'ignore' }).status === 0
}

/**
 * Runs a program there. Its stdin ends with this process, which tells it to end too.
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
export async function runInPrivateMachine(command, env) {
  removeAbandoned()
  const name = `${PREFIX}${process.pid}`
  const folder = join(cacheFolder(), name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const shell = ['sh', '-c', FIRST_PROCESS, 'sh', ...command]
  const child = spawn('unshare', [...NAMESPACES, ...shell], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, ATELIER_PRIVATE_MACHINE: folder, ATELIER_PRIVATE_CONTROL_GROUP: name },
  })
  // A Ctrl-C reaches the program too, as it is of the same terminal: it is waited for.
  const stay = () => {}
  process.on('SIGINT', stay)
  const end = () => child.stdin.end()
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  const stopWatching = whenOrphaned(end)
  const code = await new Promise(resolve => {
    child.once('error', () => resolve(1))
    child.once('exit', (status, signal) => resolve(status ?? (signal ? 1 : 0)))
  })
  process.off('SIGINT', stay)
  process.off('SIGTERM', end)
  process.off('SIGHUP', end)
  stopWatching()
  remove(name)
  return code
}

/** What runs that were killed themselves could not remove. */
function removeAbandoned() {
  const names = existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []
  for (const name of names) {
    if (name.startsWith(PREFIX) && startOf(Number(name.slice(PREFIX.length))) === '') remove(name)
  }
}

/** @param {string} name */
function remove(name) {
  rmSync(join(cacheFolder(), name), { recursive: true, force: true })
  if (!existsSync(CONTROL_GROUPS)) return
  thaw(join(CONTROL_GROUPS, 'freezer', name))
  for (const hierarchy of ['', ...readdirSync(CONTROL_GROUPS)]) removeGroup(join(CONTROL_GROUPS, hierarchy, name))
}

/**
 * Where the first process was killed, what is frozen is still there.
 * @param {string} folder
 */
function thaw(folder) {
  const groups = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  for (const group of groups) {
    if (group.isDirectory()) writeFileSync(join(folder, group.name, 'freezer.state'), 'THAWED')
  }
}

/**
 * A control group is removed as an empty folder, though files are shown in it.
 * @param {string} folder
 */
function removeGroup(folder) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(folder, entry.name))
  }
  try {
    rmdirSync(folder)
  } catch {
    // Its last process is still ending. The next run removes it.
  }
}
