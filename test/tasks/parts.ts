import { expect } from 'vitest'
import { SUMMARY_SYSTEM_PROMPT } from '../../server/agent/condenser/prompt.ts'
import { isResult, resultsByCall } from '../../server/api/event/calls.ts'
import type { EventFrame } from '../../server/api/event/frames.ts'
import type { AppConversationStartRequest } from '../../server/api/v1/conversation/starts.ts'
import { saveLlmProfileV1 } from '../../server/api/v1/settings/llm-profiles.ts'
import type { SettingsPatch } from '../../server/api/v1/settings/settings.ts'
import { textOf } from '../../server/event/model-messages.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import type { Turn, WireName } from '../fakes/model-server/turn.ts'
import { type ModelRequest, type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { type Watch, watch } from '../parts/client/watch.ts'
import { testEngine } from '../parts/engine/containers.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { flawsOf, type Sight, sightOf } from './sight.ts'
import { readingText, writingCalls } from './written-calls.ts'

/** The servers of tasks are on this machine. */
const OPEN = { allowed_hosts: ['host.docker.internal'] }

/** A model at work: it gets what it sees, yields what it answers, and returns its last answer. */
export type Mind = (first: Sight) => Generator<Turn, Turn, Sight>

/** By its provider's wire, or one on the first of these that cannot call tools. */
export type Speaker = WireName | 'without-tools'

export interface Task {
  id: string
  sandboxId: string
  seen: Watch
  /** What the model was shown each time, oldest first, requests for summaries apart. */
  sights: Sight[]
  summaries: Sight[]
  /** Waits until the agent has finished, again after each further message; whatever else ends it is told. */
  finished(): Promise<void>
}

export interface Workshop {
  service: TestService
  model: ModelServer
  /** A provider is asked at its public address. */
  begin(speaker: Speaker, message: string, mind: Mind, more?: Partial<AppConversationStartRequest>): Promise<Task>
  close(): Promise<void>
}

interface Play {
  message: string
  mind: Mind
  answering: ReturnType<Mind> | undefined
  sights: Sight[]
  summaries: Sight[]
}

export const MODELS: Record<Speaker, string> = {
  openai: 'mistral/devstral-scripted',
  responses: 'openai/gpt-5.5',
  anthropic: 'anthropic/claude-haiku-4-5',
  gemini: 'gemini/gemini-2.5-flash',
  'without-tools': 'mistral/codellama-scripted',
}
const PROVIDERS = /^https:\/\/(api\.(mistral|openai|anthropic)\.\w+|generativelanguage\.googleapis\.com)\//

/**
 * The whole service and a model server that is every provider. A conversation is told from another by its first message.
 * `summarise` answers the condenser.
 */
export async function openWorkshop(
  settings: SettingsPatch = {},
  summarise: (sight: Sight) => Turn = () => ({ text: 'The work goes on.' }),
): Promise<Workshop> {
  const plays: Play[] = []
  const model = await startModelServer({ script: request => turnOf(request, plays, summarise) })
  const ownFetch = Outbound.prototype.fetch
  Outbound.prototype.fetch = function (rules) {
    const fetch = ownFetch.call(this, rules)
    return (url, init) => (PROVIDERS.test(String(url)) ? model.fetch(url, init) : fetch(url, init))
  }
  const service = await startTestService({
    settings: { llm_model: MODELS.openai, llm_api_key: 'sk-of-the-workshop-0123', ...OPEN, ...settings },
  })
  // The key of the settings goes to their own provider alone.
  for (const [speaker, model] of Object.entries(MODELS)) {
    const llm = { model, api_key: 'sk-of-the-workshop-0123' }
    await service.client.call(saveLlmProfileV1, { params: { name: speaker }, body: { llm } })
  }
  const watches: Watch[] = []
  return {
    service,
    model,
    begin: async (speaker, message, mind, more = {}) => {
      const play: Play = { message, mind, answering: undefined, sights: [], summaries: [] }
      plays.push(play)
      const body = { initial_message: said(message), llm_model: MODELS[speaker], ...more }
      const task = await startConversation(service, body)
      expect(task.detail).toBeNull()
      const id = task.app_conversation_id ?? ''
      const seen = await watch(service, id)
      watches.push(seen)
      return { id, sandboxId: task.sandbox_id ?? '', seen, ...play, finished: finishing(seen) }
    },
    close: async () => {
      for (const one of watches) await one.close()
      await service.close()
      await model.close()
      Outbound.prototype.fetch = ownFetch
    },
  }
}

function turnOf(request: ModelRequest, plays: Play[], summarise: (sight: Sight) => Turn): Turn {
  const sight = sightOf(request)
  const play = plays.find(({ message }) => sight.said.some(one => one.kind === 'user' && one.text.includes(message)))
  if (!play) throw new Error(`Nobody has begun this: ${JSON.stringify(sight.said).slice(0, 500)}`)
  if (sight.system.includes(SUMMARY_SYSTEM_PROMPT)) {
    play.summaries.push(sight)
    return summarise(sight)
  }
  const writes = MODELS['without-tools'].endsWith(`/${request.model}`)
  const shown = writes ? readingText(sight) : sight
  play.sights.push(shown)
  // What a generator is first given, its function gets as the argument.
  play.answering ??= play.mind(shown)
  const next = play.answering.next(shown)
  if (next.value === undefined) throw new Error('The mind has nothing left to say.')
  return writes ? writingCalls(next.value) : next.value
}

const ENDS = new Set(['finished', 'error', 'stuck', 'paused', 'waiting_for_confirmation'])

/** Of a test: much more than a task takes, for machines that are busy. */
export const TASK_MS = 120_000

/** A little less, so that what was seen is told. */
const PATIENCE_MS = 110_000

function finishing(seen: Watch): () => Promise<void> {
  let last = -1
  return async () => {
    const from = last + 1
    const ends = (frame: EventFrame) => seqOf(frame) >= from && ENDS.has(statusIn(frame))
    const end = await seen.until(ends, 'The end of the task', PATIENCE_MS)
    last = seqOf(end)
    const errors = seen.of('ConversationErrorEvent').map(({ code, detail }) => `${code}: ${detail}`)
    expect({ status: statusIn(end), errors }).toEqual({ status: 'finished', errors: [] })
  }
}

function seqOf(frame: EventFrame): number {
  return 'seq' in frame ? frame.seq : -1
}

function statusIn(frame: EventFrame): string {
  const told = frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'execution_status'
  return told ? String(frame.value) : ''
}

/** One result for each call, after it and in the order of the calls; and nothing that a provider would refuse was sent. */
export function expectSound({ seen, sights }: Task): void {
  const events = seen.events()
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  const calls = events.filter(event => event.kind === 'ActionEvent')
  const results = resultsByCall(events)
  expect(calls.map(({ id }) => results.get(id)?.tool_call_id)).toEqual(calls.map(call => call.tool_call_id))
  expect(events.filter(isResult)).toEqual(calls.map(({ id }) => results.get(id)))
  expect(sights.flatMap(flawsOf)).toEqual([])
}

/** What the agent was told by its tools, in order. */
export function outputsOf({ seen }: Task): string[] {
  return seen.of('ObservationEvent').map(({ observation }) => textOf(observation.content))
}

export function use(name: string, args: Record<string, unknown>): Turn {
  return { toolCalls: [{ name, arguments: args }] }
}

export function run(command: string, more: { timeout?: number; is_input?: boolean } = {}): Turn {
  return use('terminal', { command, ...more })
}

/** Looks at what runs until it shows the text. */
export function* until(text: string, first: Turn): Generator<Turn, Sight, Sight> {
  let sight = yield first
  while (!sight.result.includes(text)) sight = yield run('', { timeout: 0.3 })
  return sight
}

export function finish(message: string): Turn {
  return use('finish', { message })
}

/** For minds: what they see is not what they need. */
export function must(holds: boolean, seen: string): void {
  if (!holds) throw new Error(`The model did not expect this: ${seen}`)
}

/** Looks into a sandbox from outside, as root, in no terminal of the agent. */
export async function inside(sandboxId: string, script: string, cwd = '/workspace/project') {
  const engine = testEngine()
  try {
    const stream = await engine.exec(sandboxId, { argv: ['/bin/sh', '-c', script], cwd })
    const out: Buffer[] = []
    stream.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    stream.stderr.on('data', (chunk: Buffer) => out.push(chunk))
    const code = await stream.exitCode
    stream.close()
    return { code, out: Buffer.concat(out).toString() }
  } finally {
    await engine.close()
  }
}
