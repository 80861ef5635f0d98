import { afterEach, expect } from 'vitest'
import { sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { createSecret } from '../../server/api/v1/settings/secrets.ts'
import type { Script } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/service.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { startGatewaySandbox } from '../parts/client/gateway.ts'
import { tool } from '../parts/client/gateway-conversation.ts'
import { showTerminal } from '../parts/client/terminal.ts'
import { watch } from '../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai },
  }))
  .extend('show', { scope: 'file' }, ({ service }) => (id: string) => {
    return showTerminal(service.url, service.key, id, { of: 'agent-shells' })
  })
  /** A conversation whose agent has done its work, and who looks at its shell. */
  .extend('worked', { scope: 'file' }, ({ model, service, show }) => async (script: Script) => {
    model.setScript(script)
    const task = await startConversation(service, { initial_message: said('Begin') })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    await seen.untilStatus('finished')
    const screen = await show(id)
    shown.push(seen, screen)
    /** @returns what the model knows at its last request */
    const goOn = async () => {
      const from = seen.events().at(-1)?.seq ?? 0
      await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Go on') })
      await seen.untilStatus('finished', from + 1)
      return JSON.stringify(model.requests.at(-1)?.body)
    }
    return { screen, goOn }
  })

const SECRET = 'a-very-secret-value-73'

it.beforeAll(async ({ service }) => {
  await service.client.call(createSecret, { body: { name: 'TOKEN', value: SECRET } })
})

const done = tool('finish', { message: 'Done.' })
const shown: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of shown.splice(0)) await one.close()
})

it('shows what a command writes while it runs, with secrets masked, and takes keys for it but no command', async ({
  service,
  model,
  show,
}) => {
  const { id: sandbox_id, caller } = await startGatewaySandbox(service)
  const go = 'while [ ! -e /tmp/go ]; do sleep 0.1; done; read -r word; echo "heard $word"'
  model.setScript([
    tool('terminal', { command: `cd /tmp; echo begun; ${go}; echo "is $TOKEN"; (exit 3)` }),
    { text: 'Done.' },
  ])
  const task = await startConversation(service, { sandbox_id, initial_message: said('Run it') })
  const id = task.app_conversation_id ?? ''
  const screen = await show(id)
  await screen.shows(/\/workspace\/project.*\$ cd \/tmp; echo begun/)
  await screen.shows('begun\r\n')
  await screen.until(frame => frame.type === 'owner' && frame.owner === 'agent')
  await screen.until(frame => frame.type === 'program' && frame.running)
  screen.run('touch /tmp/typed')
  expect(await screen.until(frame => frame.type === 'refused')).toMatchObject({
    code: 'conflict',
    detail: 'The agent works in this shell. Pause it before you run commands of your own.',
  })
  screen.type('a word\r')
  expect(await screen.until(frame => frame.type === 'typed')).toMatchObject({ bytes: 7 })
  expect(screen.text()).not.toContain('Exit code')
  await caller.call('POST', '/api/bash/execute_bash_command', { command: 'touch /tmp/go' })
  await screen.shows('heard a word\r\n')
  await screen.shows('is <secret-hidden>\r\n')
  await screen.shows('[Exit code 3]')
  expect(screen.text()).not.toContain(SECRET)
  screen.close()
  const later = await show(id)
  await later.shows('[Exit code 3]')
  later.close()
})

it('is a person’s while the agent does not work, who then hears of it', async ({ worked }) => {
  const { screen, goOn } = await worked([
    tool('terminal', { command: 'export COLOUR=red; cd /tmp' }),
    done,
    tool('terminal', { command: 'echo "$COLOUR in $PWD"' }),
    done,
  ])
  await screen.until(frame => frame.type === 'owner' && frame.owner === 'person')
  screen.type('x')
  expect(await screen.until(({ type }) => type === 'refused')).toMatchObject({ code: 'conflict' })
  screen.run('echo "still $COLOUR, $TOKEN"; mkdir -p own; cd own; COLOUR=blue; (exit 4)')
  await screen.shows('still red, <secret-hidden>\r\n')
  await screen.shows('[Exit code 4]')
  screen.run('cat')
  await screen.shows('$ cat')
  screen.type('to cat\r')
  await screen.shows('to cat\r\nto cat\r\n')
  screen.run('echo no')
  await screen.until(frame => frame.type === 'refused' && frame.detail.startsWith('A program runs in this shell.'))
  screen.type('\x03')
  await screen.shows('[Exit code 130]')
  const told = await goOn()
  expect(told).toContain('[Since your last command, the user ran in this shell:')
  expect(told).toMatch(/\$ echo [^ ]*still \$COLOUR, \$TOKEN.*? \(exit code 4\)/)
  expect(told).toContain('$ cat (exit code 130)]')
  expect(told).not.toContain('to cat')
  expect(told).toContain('blue in /tmp/own')
  expect(told).not.toContain(SECRET)
})

it('has what a person left running, which the agent can read and end', async ({ worked }) => {
  const { screen, goOn } = await worked([
    done,
    tool('terminal', { command: 'echo mine' }),
    tool('terminal', { command: 'C-c', is_input: true }),
    tool('terminal', { command: 'echo mine' }),
    done,
  ])
  await screen.until(frame => frame.type === 'owner' && frame.owner === 'person')
  screen.run('echo serving; sleep 1000')
  await screen.shows('serving\r\n')
  const told = await goOn()
  expect(told).toContain('$ echo serving; sleep 1000 (still running)]')
  expect(told).toContain('is NOT executed')
  await screen.shows('$ echo mine')
})

it('is that of a conversation that exists', async ({ show }) => {
  const screen = await show('00000000000000000000000000000000')
  expect(await screen.closed).toBe(4004)
})
