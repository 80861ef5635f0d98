import type { ElectronApplication } from 'playwright'
import { WebSocket } from 'ws'

/** Ids of the processes of that name which the app has now, the oldest first. */
export async function processesOf(app: ElectronApplication, name: 'Atelier service' | 'Atelier keychain') {
  const all = await app.evaluate(({ app: electron }) =>
    electron.getAppMetrics().map(({ pid, name: its, creationTime }) => ({ pid, its, creationTime })),
  )
  const found = all.filter(({ its }) => its === name).sort((a, b) => a.creationTime - b.creationTime)
  return found.map(({ pid }) => pid)
}

/** The process of the service. */
export async function serviceOf(app: ElectronApplication): Promise<number> {
  const [pid] = await processesOf(app, 'Atelier service')
  if (pid === undefined) throw new Error('The app has no process of the service.')
  return pid
}

/** Where Node's debugger listens when a signal asks for it. */
const DEBUGGER = 'http://127.0.0.1:9229/json/list'

/** Throws an error in a process of Node that nobody catches there. */
export async function throwIn(pid: number, message: string): Promise<void> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await debuggerAddress())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const ask = (expression: string) => {
    const answered = new Promise<string>(resolve => socket.once('message', data => resolve(String(data))))
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
    return answered
  }
  const { result } = JSON.parse(await ask('process.pid')) as { result: { result: { value: unknown } } }
  // Another program's debugger may have taken the port.
  if (result.result.value !== pid) throw new Error(`Port 9229 is that of process ${result.result.value}.`)
  await ask(`setTimeout(() => { throw new Error(${JSON.stringify(message)}) })`)
  socket.close()
}

async function debuggerAddress(): Promise<string> {
  for (const end = performance.now() + 10_000; ; await new Promise(resolve => setTimeout(resolve, 20))) {
    try {
      const [found] = (await (await fetch(DEBUGGER)).json()) as { webSocketDebuggerUrl: string }[]
      if (found) return found.webSocketDebuggerUrl
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}
