import { expect } from 'vitest'
import type { SettingsPatch } from '../../server/api/v1/settings/settings.ts'
import type { ModelRequest, ModelServer, Script } from '../fakes/model-server.ts'
import type { GatewayCaller } from './client/gateway.ts'
import { watchGateway } from './client/watch-gateway.ts'

// Tests look into it freely.
// biome-ignore lint/suspicious/noExplicitAny: every kind has other fields
type Anything = any

/** What came of it. */
export interface Seen {
  /** What the models were asked, titles left out. */
  requests: ModelRequest[]
  /** The requests for titles. */
  titles: ModelRequest[]
  events: Anything[]
  /** What the socket sent during the runs. */
  frames: Anything[]
  /** The bodies that routes answered with, in the order of `does`. */
  answers: Anything[]
  /** The conversation as it is described in the end. */
  info: Anything
  /** The absolute folder that it worked in. */
  folder: string
}

/** Says a text, perhaps with a picture; waits until the run has ended. */
interface Message {
  text: string
  picture?: string
}

/** POST with this body: a route of the conversation after its own path, or any route of the gateway by its whole path. */
interface Post {
  post: string
  body?: object
  /** Of the reply; absent is 200. */
  status?: number
}

type Deed = 'condense' | Message | Post

/** One sentence of a contract, how it is put to the test with a conversation, and what shows that it holds. */
export interface Statement {
  says: string
  settings?: SettingsPatch
  /** The model of the conversation; the one of the settings if nothing is said. */
  llm?: (model: ModelServer) => object
  /** More fields of the agent. */
  agent?: object
  /** More fields of the start. */
  start?: object
  /** Files of its folder, by relative path; a new folder for each statement. */
  files?: Readonly<Record<string, string>>
  /** A command that makes more of the folder. */
  prepare?: string
  /** The folder below it that the agent works in; absent is the folder itself. */
  below?: string
  script: () => Script
  /** What is there before the conversation begins. */
  before?: (model: ModelServer) => readonly Post[]
  /** The answer to requests for a title; nothing if absent, so that the first line stays. */
  title?: string
  /** What a person does, one after the other; `condense` asks for a condensation. */
  does?: readonly Deed[] | ((model: ModelServer) => readonly Deed[])
  shows: (seen: Seen) => void
}

const BEGIN = [{ text: 'Begin, and mind the gap.' }] as const
const CONDENSE: Post = { post: 'condense' }
const NO_TITLE = { usage: { input: 0, output: 0 }, cost: 0 }

let folders = 0

/** Has the conversation, to the end of its last run. */
export async function putToTheTest(
  statement: Statement,
  { caller, model }: { caller: GatewayCaller; model: ModelServer },
): Promise<Seen> {
  const { llm, does = BEGIN, title } = statement
  model.setScript(statement.script())
  model.setTitles(() => (title === undefined ? NO_TITLE : { text: title }))
  const [before, titlesBefore] = [model.requests.length, model.titleRequests.length]
  const folder = await folderFor(statement, caller)
  for (const { post, body, status = 200 } of statement.before?.(model) ?? []) {
    expect((await caller.call('POST', post, body)).status).toBe(status)
  }
  const agent = { kind: 'Agent', llm: llm?.(model) ?? {}, ...statement.agent }
  const start = { agent, workspace: { working_dir: folder }, stuck_detection: false, ...statement.start }
  const { status, body } = await caller.call('POST', '/api/conversations', start)
  expect(status, JSON.stringify(body)).toBe(201)
  const path = `/api/conversations/${body.id}`
  const [frames, answers]: [Anything[], Anything[]] = [[], []]
  for (const one of typeof does === 'function' ? does(model) : does) {
    if (typeof one === 'object' && 'text' in one) frames.push(...(await run(caller, body.id, one)))
    else {
      const { post, body: sent, status = 200 } = one === 'condense' ? CONDENSE : one
      const reply = await caller.call('POST', post.startsWith('/') ? post : `${path}/${post}`, sent)
      expect(reply.status, JSON.stringify(reply.body)).toBe(status)
      answers.push(reply.body)
    }
  }
  const info = (await caller.call('GET', path)).body
  return {
    requests: model.requests.slice(before),
    titles: model.titleRequests.slice(titlesBefore),
    events: await eventsOf(caller, path),
    frames,
    answers,
    info,
    folder,
  }
}

async function eventsOf(caller: GatewayCaller, path: string): Promise<Anything[]> {
  const events: Anything[] = []
  for (let page: string | null = ''; page !== null; ) {
    const found: Anything = await caller.call('GET', `${path}/events/search${page && `?page_id=${page}`}`)
    events.push(...found.body.items)
    page = found.body.next_page_id
  }
  return events
}

/** A folder of the sandbox that nobody has used, with its files. */
async function folderFor({ files = {}, prepare, below }: Statement, caller: GatewayCaller): Promise<string> {
  if (Object.keys(files).length === 0 && !prepare) return '/workspace/project'
  folders += 1
  const folder = `/workspace/statement-${folders}`
  const commands = Object.entries(files).map(([path, text]) => {
    const encoded = Buffer.from(text).toString('base64')
    return `mkdir -p "$(dirname '${path}')" && echo ${encoded} | base64 -d >'${path}'`
  })
  const command = ['set -e', `mkdir -p ${folder} && cd ${folder}`, ...commands, prepare ?? ''].join('\n')
  const { status, body } = await caller.call('POST', '/api/bash/execute_bash_command', { command })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.exit_code, body.stderr).toBe(0)
  return below ? `${folder}/${below}` : folder
}

/** A run is over when the full state comes again. @returns what the socket sent */
async function run(caller: GatewayCaller, id: string, { text, picture }: Message): Promise<Anything[]> {
  const seen = await watchGateway(caller, id)
  await seen.until(frame => frame.key === 'full_state')
  const content = [{ type: 'text', text }, ...(picture ? [{ type: 'image', image_urls: [picture] }] : [])]
  await caller.call('POST', `/api/conversations/${id}/events`, { role: 'user', content, run: true })
  await seen.until(frame => frame.key === 'full_state' && frame !== seen.frames[0], 'The end of the run')
  await seen.close()
  return seen.frames
}
