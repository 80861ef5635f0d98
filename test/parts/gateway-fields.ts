import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from '../fakes/model-server/turn.ts'
import { type ModelRequest, type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { type GatewayCaller, type Reply, startGatewaySandbox } from './client/gateway.ts'
import { FINISH, START, said } from './client/gateway-conversation.ts'
import { watchGateway } from './client/watch-gateway.ts'
import { startTestService, type TestService } from './service/service.ts'

/** A conversation that was begun with some fields, once it has ended. */
export interface Begun {
  id: string
  /** What the model was asked for it. */
  requests: ModelRequest[]
  titleRequests: ModelRequest[]
  // Tests look into it freely.
  // biome-ignore lint/suspicious/noExplicitAny: what a field does is seen in many places
  info: any
  // biome-ignore lint/suspicious/noExplicitAny: every kind of event has other fields
  events: any[]
  caller: GatewayCaller
  /** Reads from the app's own port. */
  // biome-ignore lint/suspicious/noExplicitAny: every route answers something else
  appCall: (path: string) => Promise<any>
}

type Ending = 'finished' | 'error' | 'paused' | 'waiting_for_confirmation'

/** How a field is given and where its effect is seen, or that it is refused. */
export type FieldCase =
  | {
      given: unknown
      /** Other fields beside it. */
      with?: object
      wire?: 'openai' | 'anthropic' | 'gemini'
      turns?: Turn[]
      ends?: Ending
      /** Fails when the field was ignored. */
      sees: (begun: Begun) => void | Promise<void>
    }
  | {
      refused: unknown
      /** What does nothing and is taken. */
      inert?: readonly unknown[]
      status?: 422 | 501
    }

const MODELS = {
  openai: 'openai/scripted',
  anthropic: 'anthropic/claude-sonnet-4-5',
  gemini: 'gemini/gemini-2.5-flash',
}

/** A service with a sandbox, and conversations in it that the scripted model carries. */
export async function startFieldTests(): Promise<{
  model: ModelServer
  service: TestService
  caller: GatewayCaller
  llm: (wire?: keyof typeof MODELS) => { model: string; base_url: string }
  start: (body: object) => Promise<Reply>
  begin: (body: object, options?: { turns?: Turn[]; ends?: Ending }) => Promise<Begun>
  close: () => Promise<void>
}> {
  const model = await startModelServer()
  const service = await startTestService({
    settings: {
      llm_model: 'openai/of-the-settings',
      llm_base_url: model.url.openai,
      llm_api_key: 'sk-of-the-settings',
    },
  })
  const { caller } = await startGatewaySandbox(service)
  const home = join(service.dataDir, 'home')
  mkdirSync(join(home, '.openhands/skills'), { recursive: true })
  mkdirSync(join(home, '.openhands/memory'), { recursive: true })
  writeFileSync(join(home, '.openhands/skills/mine.md'), 'Rule of the user.')
  writeFileSync(
    join(home, '.openhands/memory/MEMORY.md'),
    `Memory of the user.${' '.repeat(9)}${'x'.repeat(20_000)}Cut away.`,
  )
  const command = `mkdir -p .openhands/memory; echo 'Rule of the project.' >AGENTS.md; echo 'Memory of the project.' >.openhands/memory/MEMORY.md`
  await caller.call('POST', '/api/bash/execute_bash_command', { command, cwd: '/workspace/project' })
  const start = (body: object) => caller.call('POST', '/api/conversations', { ...START, ...body })
  return {
    model,
    service,
    caller,
    llm: (wire = 'openai') => ({ model: MODELS[wire], base_url: model.url[wire] }),
    start,
    begin: async (body, { turns = [FINISH], ends = 'finished' } = {}) => {
      model.setScript(turns)
      const [asked, titled] = [model.requests.length, model.titleRequests.length]
      const { status, body: info } = await start({ initial_message: said('Look around'), ...body })
      if (status !== 201) throw new Error(`It was answered with ${status}: ${JSON.stringify(info)}`)
      const seen = await watchGateway(caller, info.id)
      await seen.untilStatus(ends)
      await seen.close()
      const events = await caller.call('GET', `/api/conversations/${info.id}/events/search?limit=100`)
      return {
        id: info.id,
        requests: model.requests.slice(asked),
        titleRequests: model.titleRequests.slice(titled),
        info: (await caller.call('GET', `/api/conversations/${info.id}`)).body,
        events: events.body.items,
        caller,
        appCall: async path => {
          const reply = await fetch(service.url + path, { headers: { 'X-Session-API-Key': service.key } })
          return reply.json()
        },
      }
    },
    close: async () => {
      await service.close()
      await model.close()
    },
  }
}

/** What the model was told beside the conversation. */
export function systemOf({ body }: ModelRequest): string {
  return JSON.stringify(body.messages?.[0] ?? body.system ?? '')
}

export function toolNames({ body }: ModelRequest): string[] {
  return (body.tools ?? []).map(
    (tool: { function?: { name: string }; name?: string }) => tool.function?.name ?? tool.name,
  )
}
