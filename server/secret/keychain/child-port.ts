import { fork } from 'node:child_process'

/** A child process and the private channel to it. `kill` ends it at once, also when it hangs. */
export interface ChildPort {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, whatever ended it. */
  onExit(listener: () => void): void
  kill(): void
}

/** The keychain process as a child of Node, for the headless service. `file` is the bundled `keychain-process.js`. */
export function forkKeychainProcess(file: string, env: NodeJS.ProcessEnv = process.env): ChildPort {
  // stdout belongs to the service; GLib's warnings on stderr say nothing that a reply does not say better.
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return {
    send: message => {
      if (child.connected) child.send(message as object, () => {}) // a failed send shows as the child's exit
    },
    onMessage: listener => child.on('message', listener),
    onExit: listener => {
      let ended = false
      const end = (): void => {
        if (!ended) listener()
        ended = true
      }
      child.once('exit', end)
      child.once('error', end)
    },
    kill: () => child.kill('SIGKILL'),
  }
}
