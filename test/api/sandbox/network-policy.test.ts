import { expect } from 'vitest'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { getSandboxNetwork, setSandboxNetwork } from '../../../server/api/v1/sandbox/network.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({ model }) => ({ settings: scripted(model) }))

const knock = tool('terminal', { command: 'curl -sS -m 10 http://refused.test/ https://secret.refused.test/; true' })
const look = tool('terminal', { command: 'true' })

it('an agent is told which hosts its sandbox reaches, and which one was refused', async ({ model, service }) => {
  model.setScript([knock, look, FINISH, knock, FINISH])
  const task = await startConversation(service, {
    network_policy: { network: 'allowlist', allowlist: { presets: [], hosts: ['*.allowed.test', 'github.com:22'] } },
    initial_message: said('Fetch it'),
    title: 'Network',
  })
  const seen = await watch(service, task.app_conversation_id ?? '')
  await seen.untilStatus('finished')
  const [prompt] = model.requests.map(({ body }) => JSON.stringify(body))
  expect(prompt).toContain('It reaches these hosts and no others: *.allowed.test, github.com:22.')
  const notes = () =>
    seen
      .of('ObservationEvent')
      .filter(({ tool_name }) => tool_name === 'terminal')
      .map(({ extended_content: more = [] }) => textOf(more))
  expect(notes()).toHaveLength(2)
  expect(notes()[0]).toContain('The network policy of this sandbox refused ')
  expect(notes()[0]).toContain('refused.test:80')
  expect(notes()[0]).toContain('secret.refused.test:443')
  expect(notes()[1]).toBe('')
  expect(JSON.stringify(model.requests[1]?.body)).toContain('Only the user can allow a host')

  const params = { sandbox_id: task.sandbox_id ?? '' }
  const found = await service.client.call(getSandboxNetwork, { params })
  expect(found).toMatchObject({ network: 'allowlist', allowlist: { hosts: ['*.allowed.test', 'github.com:22'] } })
  expect(found.attempts.map(({ host, verdict }) => [host, verdict])).toEqual(
    expect.arrayContaining([
      ['refused.test', 'refused'],
      ['secret.refused.test', 'refused'],
    ]),
  )

  const none = { network: 'none' as const, allowlist: { presets: [], hosts: [] } }
  expect(await service.client.call(setSandboxNetwork, { params, body: none })).toMatchObject(none)
  const conversation = { conversation_id: task.app_conversation_id ?? '' }
  await service.client.call(sendMessage, { params: conversation, body: { ...said('Again'), run: true } })
  await seen.until(() => notes().length === 3)
  expect(notes()[2]).toContain('The user has changed the network of this sandbox. It has no network')
  await seen.close()
})

it('an agent with the internet is told which private address was refused, where a command fails for it', async ({
  model,
  service,
}) => {
  const fails = tool('terminal', { command: 'curl -sS -m 10 http://10.11.12.13:5432/' })
  model.setScript([look, fails, look, FINISH])
  const task = await startConversation(service, { initial_message: said('Ask the database'), title: 'Private' })
  const seen = await watch(service, task.app_conversation_id ?? '')
  await seen.untilStatus('finished')
  const notes = seen
    .of('ObservationEvent')
    .filter(({ tool_name }) => tool_name === 'terminal')
    .map(({ extended_content: more = [] }) => textOf(more))
  expect(notes).toEqual([
    '',
    expect.stringMatching(
      /^Refused: 10\.11\.12\.13:5432\. This sandbox reaches no private address.*Settings › Privacy/,
    ),
    '',
  ])
  const { attempts } = await service.client.call(getSandboxNetwork, { params: { sandbox_id: task.sandbox_id ?? '' } })
  expect(attempts).toMatchObject([{ host: '10.11.12.13', port: 5432, verdict: 'refused', reason: 'private', count: 1 }])
  await seen.close()
})

it.for([
  ['https://example.com', 'without a scheme'],
  ['*.com', 'nearly everything'],
  ['*', 'write a host'],
  ['localhost', 'the sandbox itself'],
  ['example.com:0', 'from 1 to 65535'],
  ['a|b', 'write a host'],
])('%s is no host of a list', async ([host, why], { service }) => {
  const body = { network: 'allowlist', allowlist: { presets: [], hosts: [host] } }
  const answer = await fetch(`${service.url}/api/v1/sandboxes/any/network`, {
    method: 'PUT',
    headers: { 'x-session-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain(why)
})
