import { z } from 'zod'
import type { LocalModelServer, ModelTest } from '../api/v1/system/system.ts'
import { timeLimit } from '../async/time-limit.ts'
import { isAppError } from '../domain/errors.ts'
import { ANSWER_LIMITS } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { createComplete } from './answer/stream.ts'
import type { CompletionRequest, ModelChoice } from './completion.ts'

const TEST_LIMIT_MS = 20_000

/**
 * Asks the model one short question, once. Never rejects for what the model does: a failure is the answer.
 * @throws the signal's reason when aborted
 */
export async function testModel(
  choice: ModelChoice,
  {
    outbound,
    signal,
    limitMs = TEST_LIMIT_MS,
  }: { outbound: Pick<Outbound, 'fetch' | 'sleep'>; signal: AbortSignal; limitMs?: number },
): Promise<ModelTest> {
  const limit = timeLimit(limitMs)
  const complete = createComplete(async () => choice, { outbound, retry: { attempts: 1 } })
  try {
    const answer = await complete(question(AbortSignal.any([signal, limit])))
    const reply = answer.text.trim().slice(0, 200)
    return { ok: true, model: choice.model, latency_ms: answer.latencyMs, reply }
  } catch (error) {
    signal.throwIfAborted()
    if (isAppError(error)) return { ok: false, code: error.code, message: error.message }
    if (!limit.aborted) throw error
    const message = `${choice.model} did not answer within ${limitMs / 1000} seconds. A local model may still be loading: try again.`
    return { ok: false, code: 'llm_unreachable', message }
  }
}

function question(signal: AbortSignal): CompletionRequest {
  return {
    system: 'Answer with one short sentence.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Say that you are ready.' }] }],
    tools: [],
    signal,
    onDelta: () => {},
    onRetry: () => {},
  }
}

export interface LocalServerPorts {
  ollama: number
  lmStudio: number
}

const DEFAULT_PORTS: LocalServerPorts = { ollama: 11434, lmStudio: 1234 }
const DETECTION_LIMIT_MS = 1_000

/** Model servers that listen on this machine now, with their models. Takes at most a second. */
export async function detectLocalServers({
  outbound,
  signal,
  ports = DEFAULT_PORTS,
}: {
  outbound: Outbound
  signal: AbortSignal
  ports?: LocalServerPorts
}): Promise<LocalModelServer[]> {
  const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.localServer })
  const limit = AbortSignal.any([signal, timeLimit(DETECTION_LIMIT_MS)])
  const found = await Promise.all([
    detectServer('Ollama', 'ollama', ports.ollama, readOllama, { fetch, signal: limit }),
    detectServer('LM Studio', 'lm_studio', ports.lmStudio, readOpenAiList, { fetch, signal: limit }),
  ])
  signal.throwIfAborted()
  return found.filter(server => server !== undefined)
}

interface Call {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

type ReadModels = (origin: string, call: Call) => Promise<string[]>

/** Servers listen on one of the two loopback addresses, or on both; the first that answers counts. */
async function detectServer(
  name: string,
  prefix: string,
  port: number,
  read: ReadModels,
  call: Call,
): Promise<LocalModelServer | undefined> {
  const origins = [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]
  const answers = await Promise.allSettled(origins.map(origin => read(origin, call)))
  const index = answers.findIndex(answer => answer.status === 'fulfilled')
  const answer = answers[index]
  const origin = origins[index]
  if (answer?.status !== 'fulfilled' || !origin) return undefined
  return { name, base_url: `${origin}/v1`, models: answer.value.map(model => `${prefix}/${model}`) }
}

const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) })

async function readOllama(origin: string, call: Call): Promise<string[]> {
  const { models } = ollamaTags.parse(await getJson(`${origin}/api/tags`, call))
  return models.map(model => model.name).filter(isChatModel)
}

const openAiList = z.object({ data: z.array(z.object({ id: z.string() })) })

async function readOpenAiList(origin: string, call: Call): Promise<string[]> {
  const { data } = openAiList.parse(await getJson(`${origin}/v1/models`, call))
  return data.map(model => model.id).filter(isChatModel)
}

function isChatModel(name: string): boolean {
  return !/embed|rerank|whisper/i.test(name)
}

async function getJson(url: string, { fetch, signal }: Call): Promise<unknown> {
  const reply = await fetch(url, { signal, redirect: 'error' })
  if (!reply.ok) {
    await reply.body?.cancel()
    throw new Error(`${url} answered ${reply.status}`)
  }
  return reply.json()
}
