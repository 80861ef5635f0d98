import { createBirpc } from 'birpc'
import type { ChildPort } from '../../server/secret/keychain/child-port.ts'
import { type AppCalls, MESSAGES, type ServiceCalls, unanswered } from './calls.ts'
import { type LocalService, type Reports, startLocalService } from './start.ts'

/**
 * The process in which the service runs: a child of the app, which alone says when it ends. What brings it down takes no window
 * with it, and nothing that it does holds a window up.
 */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

// Electron sets this property on process in a utility process; Node's types do not know it.
const { parentPort } = process as { parentPort?: ParentPort }
if (!parentPort) throw new Error('This program belongs to the app, which starts it.')

/** Changes come in bursts, and nobody reads that fast. */
const GATHER_MS = 200

let service: LocalService | undefined
let reports: Reports | undefined
let hasCrashed = false
const keychains = new Map<number, { onMessage: ((message: unknown) => void)[]; onExit: (() => void)[] }>()
let lastKeychain = 0

const app = createBirpc<AppCalls, ServiceCalls>(
  {
    async start(start) {
      service = await startLocalService({
        ...start,
        env: process.env,
        spawnKeychain,
        onActivity,
        onReopening: isReopening => {
          void app.reopening.asEvent(isReopening)
          // Agents have ended with the database, which said nothing of them any more.
          if (!isReopening) onActivity()
        },
        proxyOfSystem: origin => app.proxyOfSystem(origin),
        onReports: given => {
          reports = given
        },
      })
      sayActivity()
      return service.url
    },
    connection: () => running().connection(),
    atWork: () => running().atWork(),
    backUp: () => running().backUp(),
    ping: () => {},
    suspend: unanswered(() => service?.suspend()),
    resume: unanswered(() => service?.resume()),
    reportCrash: error => reports?.crash(error) ?? null,
    logUnexpected: unanswered(reason => reports?.unexpected(reason)),
    close: async () => service?.close(),
    keychainMessage: unanswered((id, message) => {
      for (const listener of keychains.get(id)?.onMessage ?? []) listener(message)
    }),
    keychainExit: unanswered(id => {
      const ended = keychains.get(id)
      keychains.delete(id)
      for (const listener of ended?.onExit ?? []) listener()
    }),
  },
  {
    ...MESSAGES,
    post: message => parentPort.postMessage(message),
    on: listener => parentPort.on('message', ({ data }) => listener(data)),
  },
)

// At the end of a session, or on Ctrl+C, the system tells the app as well, which closes this process before it ends itself.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void app.end.asEvent())

process.on('uncaughtException', error => {
  const report = reports?.crash(error) ?? null
  if (hasCrashed) return
  hasCrashed = true
  void app.crashed.asEvent(report)
})
process.on('unhandledRejection', reason => reports?.unexpected(reason))

function running(): LocalService {
  if (!service) throw new Error('The service does not run yet.')
  return service
}

let isGathering = false

function onActivity(): void {
  if (isGathering) return
  isGathering = true
  setTimeout(() => {
    isGathering = false
    sayActivity()
  }, GATHER_MS).unref()
}

function sayActivity(): void {
  if (service) void app.activity.asEvent(service.activity())
}

/** The keychain process, which is a child of the app as this one is. */
function spawnKeychain(): ChildPort {
  lastKeychain += 1
  const id = lastKeychain
  const listeners = { onMessage: [] as ((message: unknown) => void)[], onExit: [] as (() => void)[] }
  keychains.set(id, listeners)
  void app.startKeychain.asEvent(id)
  return {
    send: message => void app.toKeychain.asEvent(id, message),
    onMessage: listener => listeners.onMessage.push(listener),
    onExit: listener => listeners.onExit.push(listener),
    kill: () => void app.killKeychain.asEvent(id),
  }
}
