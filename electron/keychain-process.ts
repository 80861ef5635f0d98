import { utilityProcess } from 'electron'
import type { ChildPort } from '../server/secret/keychain/child-port.ts'

/** The keychain process as a child of Electron, which cannot fork itself as Node. */
export function startKeychainProcess(file: string): ChildPort {
  const child = utilityProcess.fork(file, [], { serviceName: 'Atelier keychain', stdio: 'ignore' })
  return {
    send: message => child.postMessage(message),
    onMessage: listener => child.on('message', listener),
    onExit: listener => child.once('exit', listener),
    kill: () => {
      // kill() is SIGTERM, which a process whose threads hang may not act on.
      if (process.platform === 'win32' || child.pid === undefined) child.kill()
      else killNow(child.pid)
    },
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
