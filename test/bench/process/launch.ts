import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface Launch {
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

export interface Launched {
  child: ChildProcess
  /** Milliseconds from the start of the process. */
  firstPaint: number
  /** Resolves with the milliseconds from the start of the process until the page's expression is true. */
  until(expression: string): Promise<number>
  evaluate(expression: string): Promise<unknown>
  end(): Promise<void>
}

const LOOK_EVERY_MS = 25
const PATIENCE_MS = 30_000

/** The paint is the page's own measurement: nothing in the app has to know that it is watched. */
const FIRST_PAINT = `new Promise(resolve => new PerformanceObserver(list => {
  const paint = list.getEntriesByName('first-contentful-paint')[0]
  if (paint) resolve(performance.timeOrigin + paint.startTime)
}).observe({ type: 'paint', buffered: true }))`

/** Starts an Electron app and waits for the first thing that it shows. */
export async function launch({ program, args, env }: Launch): Promise<Launched> {
  const startedAt = performance.timeOrigin + performance.now()
  const child = spawn(program, [...args, '--remote-debugging-port=0'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  // Rejects when there is no such program.
  await once(child, 'spawn')
  try {
    const page = await openPage(await debugAddress(child))
    const firstPaint = Number(await page.evaluate(FIRST_PAINT)) - startedAt
    const until = async (expression: string): Promise<number> =>
      Number(await page.evaluate(pollOf(expression))) - startedAt
    return {
      child,
      firstPaint,
      until,
      evaluate: page.evaluate,
      end: async () => {
        page.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

function pollOf(expression: string): string {
  return `new Promise(resolve => { (function look() {
    if (${expression}) resolve(performance.timeOrigin + performance.now()); else requestAnimationFrame(look)
  })() })`
}

async function debugAddress({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('The app was started without its stderr.')
  const said: string[] = []
  for await (const line of createInterface({ input: stderr })) {
    said.push(line)
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1]
    if (port === undefined) continue
    stderr.resume()
    return `http://127.0.0.1:${port}`
  }
  throw new Error(`The app ended before it listened.\n${said.slice(-10).join('\n')}`)
}

/** Of the DevTools protocol's `Runtime.evaluate`. */
interface Answer {
  result?: { result?: { value?: unknown }; exceptionDetails?: unknown }
  error?: { message: string }
}

/** @param address of the debugger, over HTTP */
export async function openPage(address: string) {
  const socket = new WebSocket(await pageAddress(address))
  await once(socket, 'open')
  let calls = 0
  const call = (params: object) =>
    new Promise<Answer>((resolve, reject) => {
      const id = ++calls
      const timer = setTimeout(() => reject(new Error('The page did not answer.')), PATIENCE_MS)
      const onMessage = (data: unknown) => {
        const answer: Answer & { id?: number } = JSON.parse(String(data))
        if (answer.id !== id) return
        clearTimeout(timer)
        socket.off('message', onMessage)
        resolve(answer)
      }
      socket.on('message', onMessage)
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }))
    })
  const evaluate = async (expression: string): Promise<unknown> => {
    for (;;) {
      const { result, error } = await call({ expression, awaitPromise: true, returnByValue: true })
      if (result?.exceptionDetails) throw new Error(`The page threw: ${JSON.stringify(result.exceptionDetails)}`)
      if (result) return result.result?.value
      // The empty page that a window begins with has gone, and took the question with it.
      if (!/context|collected/i.test(error?.message ?? '')) throw new Error(`The page failed: ${error?.message}`)
    }
  }
  return { evaluate, close: () => socket.terminate() }
}

async function pageAddress(address: string): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const targets: unknown = await (await fetch(`${address}/json/list`)).json()
    const page = Array.isArray(targets) && targets.find(({ type, url }) => type === 'page' && url !== 'about:blank')
    if (page) return String(page.webSocketDebuggerUrl)
    await delay(LOOK_EVERY_MS)
  }
  throw new Error('The app opened no window.')
}
