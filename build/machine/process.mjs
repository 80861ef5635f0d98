import { readFileSync } from 'node:fs'

/**
 * Whether this id is that of a running process of this program, and not of another one that has the id by now. Linux.
 * @param {number} pid
 * @param {string} program the name of its executable file
 * @returns {boolean}
 */
export function runsProgram(pid, program) {
  const stat = pid > 0 ? readStat(pid) : undefined
  return stat !== undefined && stat.name === program && stat.state !== 'Z'
}

/**
 * What tells a process from a later one with the same id.
 * @param {number} pid
 * @returns {string} empty where no such process runs. On Linux the clock ticks between the machine's start and the
 * process's, elsewhere only a sign that it runs.
 */
export function startOf(pid) {
  if (process.platform === 'linux') return readStat(pid)?.start ?? ''
  try {
    process.kill(pid, 0)
    return 'running'
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' ? 'running' : ''
  }
}

/**
 * The format is that of proc(5), `/proc/[pid]/stat`: the name stands in parentheses and may hold any character.
 * @param {number} pid
 * @returns {{name: string, state: string, start: string} | undefined}
 */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    return { name: text.slice(text.indexOf('(') + 1, end), state: fields[0] ?? '', start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}
