import { expect } from 'vitest'
import type { ModelServer } from '../../fakes/model-server.ts'
import type { GatewayCaller } from './gateway.ts'
import { watchGateway } from './watch-gateway.ts'

/** The least that existing clients start a conversation with. */
export const START = {
  agent: { kind: 'Agent', llm: {} },
  workspace: { type: 'local', working_dir: '/workspace/project' },
}

export const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
export const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
export const FINISH = tool('finish', { message: 'All done.' })

/** A conversation that has finished: its id. */
export async function finishedConversation(
  model: ModelServer,
  caller: GatewayCaller,
  extra: object = {},
): Promise<string> {
  model.setScript([tool('terminal', { command: 'echo hello' }), FINISH])
  const started = await caller.call('POST', '/api/conversations', {
    ...START,
    initial_message: said('Say hello\nplease'),
    ...extra,
  })
  expect(started.status).toBe(201)
  const seen = await watchGateway(caller, started.body.id)
  await seen.untilStatus('finished')
  await seen.close()
  return started.body.id
}
