import { createBirpc } from 'birpc'
import type { ChildPort } from '../../server/secret/keychain/child-port.ts'
import type { AppCalls, ServiceCalls } from './calls.ts'
import { type EmbeddedService, type Reports, startEmbeddedService } from './embedded.ts'

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

let service: EmbeddedService | undefined
let reports: Reports | undefined
let hasCrashed = false
const keychains = new Map<number, { onMessage: ((message: unknown) => void)[]; onExit: (() => void)[] }>()
let lastKeychain = 0

const app = createBirpc<AppCalls, ServiceCalls>(
  {
    async start(start) {
      service = await startEmbeddedService({
        ...start,
        env: process.env,
        spawnKeychain,
        onActivity,
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
    suspend: () => service?.suspend(),
    resume: () => service?.resume(),
    reportCrash: error => reports?.crash(error) ?? null,
    logUnexpected: reason => reports?.unexpected(reason),
    close: async () => service?.close(),
    keychainMessage: (id, message) => keychains.get(id)?.onMessage.forEach(listener => void listener(message)),
    keychainExit(id) {
      const ended = keychains.get(id)
      keychains.delete(id)
      ended?.onExit.forEach(listener => void listener())
    },
  },
  {
    post: message => parentPort.postMessage(message),
    on: listener => parentPort.on('message', ({ data }) => listener(data)),
    timeout: -1, // each of these takes as long as it takes; the end of either process ends it
  },
)

// At the end of a session or on Ctrl+C the system tells every process. The app closes this one in order.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

process.on('uncaughtException', error => {
  const report = reports?.crash(error) ?? null
  if (hasCrashed) return
  hasCrashed = true
  void app.crashed.asEvent(report)
})
process.on('unhandledRejection', reason => reports?.unexpected(reason))

function running(): EmbeddedService {
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
