import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecret } from '../../server/api/v1/settings/secrets.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { startGatewaySandbox } from '../parts/client/gateway.ts'
import { tool } from '../parts/client/gateway-conversation.ts'
import { showTerminal } from '../parts/client/terminal.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'

let model: ModelServer
let service: TestService
const SECRET = 'a-very-secret-value-73'

beforeAll(async () => {
  model = await startModelServer()
  service = await startTestService({ settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai } })
  await service.client.call(createSecret, { body: { name: 'TOKEN', value: SECRET } })
}, 120_000)

afterAll(async () => {
  await service?.close()
  await model?.close()
})

const show = (id: string) => showTerminal(service.url, service.key, id, { of: 'agent-shells' })

it('shows what a command writes while it runs, with secrets masked, and takes no key', async () => {
  const { id: sandbox_id, caller } = await startGatewaySandbox(service)
  const go = 'while [ ! -e /tmp/go ]; do sleep 0.1; done'
  model.setScript([
    tool('terminal', { command: `cd /tmp; echo begun; ${go}; echo "is $TOKEN"; (exit 3)` }),
    { text: 'Done.' },
  ])
  const task = await startConversation(service, { sandbox_id, initial_message: said('Run it') })
  const id = task.app_conversation_id ?? ''
  const screen = await show(id)
  await screen.shows(/\/workspace\/project.*\$ cd \/tmp; echo begun/)
  await screen.shows('begun\r\n')
  screen.type('touch /tmp/typed\r')
  expect(await screen.until(frame => frame.type === 'refused')).toMatchObject({ code: 'conflict' })
  expect(screen.text()).not.toContain('Exit code')
  await caller.call('POST', '/api/bash/execute_bash_command', { command: 'touch /tmp/go' })
  await screen.shows('is <secret-hidden>\r\n')
  await screen.shows('[Exit code 3]')
  expect(screen.text()).not.toContain(SECRET)
  screen.close()
  const later = await show(id)
  await later.shows('[Exit code 3]')
  later.close()
})

it('is that of a conversation that exists', async () => {
  const screen = await show('00000000000000000000000000000000')
  expect(await screen.closed).toBe(4004)
})
