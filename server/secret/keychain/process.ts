import { answerKeychainCall } from './calls.ts'
import { KEYCHAIN_STARTED, type KeychainReply, keychainRequest } from './protocol.ts'

/**
 * The process in which keytar runs: a child of Node (`fork`) or of Electron (`utilityProcess`). A keychain that hangs
 * blocks this process only, and the service ends it.
 */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

// Electron sets this property on process in a utility process; Node's types do not know it.
const { parentPort } = process as { parentPort?: ParentPort }

if (parentPort) {
  parentPort.on('message', event => void answer(event.data, reply => parentPort.postMessage(reply)))
  parentPort.postMessage(KEYCHAIN_STARTED)
} else {
  process.on('message', message => void answer(message, reply => process.send?.(reply)))
  // exit() waits for a hung keytar thread; a signal does not.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', end)
  if (process.connected) process.send?.(KEYCHAIN_STARTED)
  else end()
}

async function answer(message: unknown, send: (reply: KeychainReply) => void): Promise<void> {
  const parsed = keychainRequest.safeParse(message)
  if (!parsed.success) return
  const { id, ...call } = parsed.data
  send({ id, ...(await answerKeychainCall(call)) })
}
