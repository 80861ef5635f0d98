import { mkdtempSync, rmSync } from 'node:fs'
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
import { compare, median, type Row, row, type Samples } from './process/measure.ts'
import { WindowThread } from './process/window-thread.ts'

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
    const window = await WindowThread.of(desktop)
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

async function measurePalette(window: WindowThread): Promise<Row[]> {
  const { page } = window.desktop
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  const keys = await window.keys('parser 4321')
  await page.keyboard.press('Escape')
  return [added(`Window: a key in the palette with ${CONVERSATIONS} conversations`, keys, 8)]
}

async function measureLong(window: WindowThread, id: string): Promise<Row[]> {
  const { page } = window.desktop
  const openings: number[] = []
  for (let round = 0; round < 7; round++) {
    await window.go('/')
    openings.push(await window.open(id, EVENTS))
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

async function measureStreaming(window: WindowThread, model: ModelServer): Promise<Row[]> {
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

async function measureHeap(window: WindowThread): Promise<Row> {
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

/** As agents write it: headings, lists, code, tables. No block is there twice: what is known is not formatted again. */
const MARKDOWN = Array.from({ length: 17 }, (_, index) => section(index + 1)).join('')

function section(number: number): string {
  return `## What was wrong with list ${number}

The parser took the **last** comma for the end of list ${number}, so \`[${number}, 2,]\` had three entries, the last of them empty.

1. \`readList${number}\` looks one token ahead now.
2. An empty entry is an error with its place, see [the grammar](https://example.org/grammar).
   - Two commas in a row are told as such.
   - A comma before the first entry as well.

\`\`\`ts
export function readList${number}(tokens: Tokens): Value[] {
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
| \`[${number}, 2,]\` | 3 entries | 2 entries |
| \`[,]\` | 2 entries | an error |

> All ${number} tests pass.

`
}
