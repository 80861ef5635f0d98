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
  events: Anything[]
  /** The conversation as it is described in the end. */
  info: Anything
}

/** One sentence of a contract, how it is put to the test with a conversation, and what shows that it holds. */
export interface Statement {
  says: string
  settings?: SettingsPatch
  /** The model of the conversation; the one of the settings if nothing is said. */
  llm?: (model: ModelServer) => object
  script: () => Script
  /** What a person does, one after the other: says a text, shows a picture, or asks for a condensation. */
  does?: readonly ('condense' | { text: string; picture?: string })[]
  shows: (seen: Seen) => void
}

const BEGIN = [{ text: 'Begin, and mind the gap.' }] as const

/** Has the conversation, to the end of its last run. */
export async function putToTheTest(
  { llm, script, does = BEGIN }: Statement,
  { caller, model }: { caller: GatewayCaller; model: ModelServer },
): Promise<Seen> {
  model.setScript(script())
  const before = model.requests.length
  const agent = { kind: 'Agent', llm: llm?.(model) ?? {} }
  const start = { agent, workspace: { working_dir: '/workspace/project' }, stuck_detection: false }
  const { status, body } = await caller.call('POST', '/api/conversations', start)
  expect(status, JSON.stringify(body)).toBe(201)
  const path = `/api/conversations/${body.id}`
  for (const one of does) {
    if (one === 'condense') expect((await caller.call('POST', `${path}/condense`)).status).toBe(200)
    else await run(caller, body.id, one)
  }
  const events: Anything[] = []
  for (let page: string | null = ''; page !== null; ) {
    const found: Anything = await caller.call('GET', `${path}/events/search${page && `?page_id=${page}`}`)
    events.push(...found.body.items)
    page = found.body.next_page_id
  }
  const info = (await caller.call('GET', path)).body
  return { requests: model.requests.slice(before), events, info }
}

/** A run is over when the full state comes again. */
async function run(caller: GatewayCaller, id: string, { text, picture }: { text: string; picture?: string }) {
  const seen = await watchGateway(caller, id)
  await seen.until(frame => frame.key === 'full_state')
  const content = [{ type: 'text', text }, ...(picture ? [{ type: 'image', image_urls: [picture] }] : [])]
  await caller.call('POST', `/api/conversations/${id}/events`, { role: 'user', content, run: true })
  await seen.until(frame => frame.key === 'full_state' && frame !== seen.frames[0], 'The end of the run')
  await seen.close()
}
