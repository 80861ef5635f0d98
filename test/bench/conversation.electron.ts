import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { getFinalResponse } from '../../server/api/v1/conversation/actions.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { startSecretService } from '../parts/secret/service.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { type DesktopApp, startDesktopApp } from '../parts/window/desktop-app.ts'
import { compare, median, type Row, row, type Samples } from './measure.ts'

const CONVERSATIONS = 5_000
const EVENTS = 10_000
const STEPS = 60
const PIXELS = 400
const KEYS = 'Make the test of the parser pass'

/** What the window costs on its main thread: a long conversation, streamed text, keys, and a long list. */
export default async function measure(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-conversation-'))
  const keyring = await startSecretService()
  const model = await startModelServer()
  const long = fill(folder)
  const desktop = await startDesktopApp({ env: keyring.env, dataDir: folder })
  try {
    const window = await Window.of(desktop)
    return [
      ...(await measurePalette(window)),
      ...(await measureLong(window, long)),
      ...(await measureStreaming(window, model)),
      await measureHeap(window),
    ]
  } finally {
    await desktop.close()
    await model.close()
    await keyring.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns id of the long conversation */
function fill(folder: string): string {
  const store = openStore(folder)
  const conversations = Array.from({ length: CONVERSATIONS }, (_, index) => {
    const at = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString()
    return aConversation({ created_at: at, updated_at: at, title: `Make the test of parser ${index} pass again` })
  })
  const [first] = conversations
  if (!first) throw new Error('There is no conversation.')
  store.database.transaction(() => {
    for (const conversation of conversations) store.conversations.insert(conversation)
  })
  store.eventLog.appendAll(
    first.id,
    Array.from({ length: EVENTS }, (_, index) => newEvent(index)),
  )
  store.close()
  return first.id
}

async function measurePalette(window: Window): Promise<Row[]> {
  const { page } = window.desktop
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  const keys = await window.keys('parser 4321')
  await page.keyboard.press('Escape')
  return [added(`Window: a key in the palette with ${CONVERSATIONS} conversations`, keys, 8)]
}

async function measureLong(window: Window, id: string): Promise<Row[]> {
  const { page } = window.desktop
  const openings: number[] = []
  for (let round = 0; round < 7; round++) {
    await window.go('/')
    openings.push(await window.open(id))
  }
  const timeline = await page.getByRole('region', { name: 'Conversation', exact: true }).boundingBox()
  await page.mouse.move(timeline ? timeline.x + timeline.width / 2 : 600, timeline ? timeline.y + 200 : 300)
  await window.watchLongTasks()
  const scrolls: Samples = { atelier: [], bare: [] }
  for (let step = 0; step < STEPS; step++) {
    scrolls.bare.push(await window.cost(() => window.frames(3)))
    scrolls.atelier.push(
      await window.cost(async () => {
        await page.mouse.wheel(0, -PIXELS)
        await window.frames(3)
      }),
    )
  }
  const longest = await window.longestTask()
  await page.getByRole('textbox', { name: 'Message' }).focus()
  const keys = await window.keys(KEYS)
  return [
    value(`Window: ${EVENTS} events, opened to the newest`, openings, 300),
    added(`Window: ${EVENTS} events, scrolled by ${PIXELS} px`, scrolls, 8),
    value('Window: the longest task meanwhile', [longest], 50),
    added('Window: a key in the composer of that conversation', keys, 3),
  ]
}

async function measureStreaming(window: Window, model: ModelServer): Promise<Row[]> {
  const { page, service } = window.desktop
  await service.client.call(storeSettings, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-bench' },
  })
  const answer = (round: number) => ({ text: `${MARKDOWN}\nThe end of ${round}.`, chunkDelayMs: 4 })
  const rounds = Array.from({ length: 4 }, (_, round) => round)
  model.setScript([{ text: 'Ready.' }, ...rounds.map(answer)])
  const task = await startConversation(service, { initial_message: said('Begin') })
  await window.go(`/conversations/${task.app_conversation_id}`)
  await page.getByText('Ready.').waitFor()
  const field = page.getByRole('textbox', { name: 'Message' })
  const stream = (round: number, meanwhile: () => Promise<void>) =>
    window.cost(async () => {
      await field.fill('Go on')
      await page.keyboard.press('Enter')
      await meanwhile()
      await untilSaid(service, task.app_conversation_id ?? '', `The end of ${round}.`)
      await window.frames(5)
    })
  const quiet = []
  for (const round of [0, 1, 2]) quiet.push(await stream(round, async () => {}))
  const typed = await stream(3, async () => {
    for (const key of KEYS) {
      await page.keyboard.press(key)
      await window.frames(1)
    }
  })
  const aKey = Math.max(0, typed - median(quiet)) / KEYS.length
  return [
    value(`Window: ${Math.round(MARKDOWN.length / 1000)} kB of Markdown, streamed`, quiet, 400),
    value('Window: a key in the composer while text streams', [aKey], 3),
  ]
}

/** Asks the service, as a question to the page would cost there what is measured. */
async function untilSaid({ client }: DesktopApp['service'], conversation_id: string, text: string): Promise<void> {
  for (;;) {
    const { response } = await client.call(getFinalResponse, { params: { conversation_id } })
    if (response.includes(text)) return
    await delay(100)
  }
}

async function measureHeap(window: Window): Promise<Row> {
  return row({
    what: 'Window: heap after all of that',
    unit: 'MB',
    atelier: await window.heapMb(),
    bare: null,
    runs: 1,
    aim: { kind: 'value', atMost: 60 },
  })
}

function value(what: string, samples: readonly number[], atMost: number): Row {
  const aim = { kind: 'value', atMost } as const
  return row({ what, unit: 'ms', atelier: median(samples), bare: null, runs: samples.length, aim })
}

/** Beside the frames that are waited for in either case. */
function added(what: string, samples: Samples, atMost: number): Row {
  return compare(what, samples, { aim: { kind: 'added', atMost } })
}

/** The page in the window, and the processor time of the thread that it runs on. */
class Window {
  readonly desktop: DesktopApp
  readonly #schedule: string

  static async of(desktop: DesktopApp): Promise<Window> {
    const pid = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    )
    await desktop.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().waitFor()
    return new Window(desktop, `/proc/${pid}/task/${pid}/schedstat`)
  }

  constructor(desktop: DesktopApp, schedule: string) {
    this.desktop = desktop
    this.#schedule = schedule
  }

  /** Milliseconds on a processor; Linux only, NaN elsewhere. */
  async cost(work: () => Promise<unknown>): Promise<number> {
    const before = this.#spent()
    await work()
    return this.#spent() - before
  }

  #spent(): number {
    return existsSync(this.#schedule) ? Number(readFileSync(this.#schedule, 'utf8').split(' ')[0]) / 1e6 : Number.NaN
  }

  /** What each of them costs until what it changes is painted. */
  async keys(text: string): Promise<Samples> {
    const costs: Samples = { atelier: [], bare: [] }
    for (const key of text) {
      costs.bare.push(await this.cost(() => this.frames(3)))
      costs.atelier.push(
        await this.cost(async () => {
          await this.desktop.page.keyboard.press(key === ' ' ? 'Space' : key)
          await this.frames(3)
        }),
      )
      await delay(50)
    }
    return costs
  }

  async go(route: string): Promise<void> {
    await this.desktop.page.evaluate(address => location.assign(address), `#${route}`)
    await this.frames(5)
    await delay(300)
  }

  /** @returns milliseconds until the frame after that in which its newest command stands */
  open(id: string): Promise<number> {
    const newest = `something ${(EVENTS >> 1) - 1}`
    return this.desktop.page.evaluate(
      ([address, text]) =>
        new Promise<number>(resolve => {
          const started = performance.now()
          const look = () => {
            if (document.querySelector('main')?.textContent.includes(text))
              requestAnimationFrame(() => resolve(performance.now() - started))
            else requestAnimationFrame(look)
          }
          location.assign(address)
          look()
        }),
      [`#/conversations/${id}`, newest] as const,
    )
  }

  async frames(count: number): Promise<void> {
    await this.desktop.page.evaluate(async frames => {
      for (let frame = 0; frame < frames; frame++) await new Promise(resolve => requestAnimationFrame(resolve))
    }, count)
  }

  async watchLongTasks(): Promise<void> {
    await this.desktop.page.evaluate(() => {
      const seen: { longest: number } = { longest: 0 }
      Object.assign(globalThis, { seenTasks: seen })
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ entryTypes: ['longtask'] })
    })
  }

  /** 0 where none was longer than what the browser calls long, 50 ms. */
  longestTask(): Promise<number> {
    return this.desktop.page.evaluate(
      () => (globalThis as unknown as { seenTasks: { longest: number } }).seenTasks.longest,
    )
  }

  heapMb(): Promise<number> {
    return this.desktop.app.evaluate(async ({ BrowserWindow }) => {
      const tools = BrowserWindow.getAllWindows()[0]?.webContents.debugger
      if (!tools) throw new Error('There is no window.')
      tools.attach()
      await tools.sendCommand('HeapProfiler.collectGarbage')
      const { usedSize } = await tools.sendCommand('Runtime.getHeapUsage')
      tools.detach()
      return usedSize / 1e6
    })
  }
}

/** As agents write it: headings, lists, code, tables. */
const MARKDOWN = `## What was wrong

The parser took the **last** comma for the end of a list, so \`[1, 2,]\` had three entries, the last of them empty.

1. \`readList\` looks one token ahead now.
2. An empty entry is an error with its place, see [the grammar](https://example.org/grammar).
   - Two commas in a row are told as such.
   - A comma before the first entry as well.

\`\`\`ts
export function readList(tokens: Tokens): Value[] {
  const values: Value[] = []
  while (tokens.peek() !== ']') {
    values.push(readValue(tokens))
    if (tokens.peek() === ',') tokens.next()
  }
  return values
}
\`\`\`

| input | before | after |
|---|---|---|
| \`[1, 2,]\` | 3 entries | 2 entries |
| \`[,]\` | 2 entries | an error |

> All 214 tests pass.

`.repeat(17)
