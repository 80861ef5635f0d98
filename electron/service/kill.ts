import type { UtilityProcess } from 'electron'

/** Its own kill() is SIGTERM, which a process whose threads hang may not act on, and the service does not. */
export function killAtOnce(child: UtilityProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    child.kill()
    return
  }
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
