import { utilityProcess } from 'electron'
import type { ChildPort } from '../../server/secret/keychain/child-port.ts'
import { killAtOnce } from './kill.ts'

/** The keychain process as a child of Electron, which cannot fork itself as Node. */
export function startKeychainProcess(file: string): ChildPort {
  const child = utilityProcess.fork(file, [], { serviceName: 'Atelier keychain', stdio: 'ignore' })
  // An error of V8, which the exit says as well. Without a listener it would be one of the app.
  child.on('error', () => {})
  return {
    send: message => child.postMessage(message),
    onMessage: listener => child.on('message', listener),
    onExit: listener => child.once('exit', listener),
    kill: () => killAtOnce(child),
  }
}
