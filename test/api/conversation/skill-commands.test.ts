import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import { call } from '../../parts/client/legacy.ts'
import { trustOf, trustRepositoryOf } from '../../parts/client/trust.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('shop', { [TEA]: skill('make-tea', 'Boil: !`echo hot-$((40 + 2))`, then !`ls /nowhere`.') })
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789', allowed_hosts: ['host.docker.internal'] }),
  }))

const TEA = '.agents/skills/make-tea/SKILL.md'
const skill = (name: string, text: string) => `---\nname: ${name}\ndescription: Use for ${name}.\n---\n${text}\n`

it.beforeAll(async ({ service }) => {
  const own = join(service.dataDir, 'home/.agents/skills/coffee/SKILL.md')
  mkdirSync(dirname(own), { recursive: true })
  writeFileSync(own, skill('coffee', 'Grind !`pwd; echo "[$DEPLOY_TOKEN]"`'))
  await call(service, 'POST', '/api/secrets', { name: 'DEPLOY_TOKEN', value: 'tok-0123456789abcdef', description: '' })
})

it('runs the commands in the text of a skill when the agent reads it: of a trusted text, and of the user', async ({
  model,
  service,
  git,
}) => {
  const read = (name: string) => tool('invoke_skill', { name })
  model.setScript([read('make-tea'), read('coffee'), FINISH, read('make-tea'), FINISH])
  const task = await startConversation(service, {
    selected_repository: git.url('shop'),
    initial_message: said('Make tea'),
    title: 'Tea',
  })
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const seen = await watch(service, params.conversation_id)
  await seen.untilStatus('finished')
  const texts = () =>
    seen
      .of('ObservationEvent')
      .filter(({ tool_name }) => tool_name === 'invoke_skill')
      .map(({ observation }) => textOf(observation.content))

  expect(texts()[0]).toContain('Boil: [`echo hot-$((40 + 2))` was not run, as the user has not trusted this skill.')
  expect(texts()[0]).not.toContain('hot-42')
  // In the working directory, and without any secret.
  expect(texts()[1]).toContain('Grind /workspace/project/shop\n[]')

  const before = await trustOf(service, params.conversation_id)
  expect(before.items).toMatchObject([{ role: 'skill', path: TEA, trusted: false, secrets: [] }])
  expect(before.left_out).toEqual([`The commands in the text of ${TEA} are not run.`])
  await trustRepositoryOf(service, params.conversation_id)
  expect((await trustOf(service, params.conversation_id)).left_out).toEqual([])
  await service.client.call(sendMessage, { params, body: { ...said('Again'), run: true } })
  await seen.until(() => texts().length === 3)
  expect(texts()[2]).toContain('Boil: hot-42, then [`ls /nowhere` ended with exit code')
  expect(texts()[2]).toMatch(/nowhere.*No such file or directory/i)
  await seen.close()
})

it('runs none when the trusted text was changed since', async ({ model, service, git }) => {
  const change = tool('terminal', { command: `sed -i s/hot-/changed-/ ${TEA}` })
  model.setScript([change, FINISH, tool('invoke_skill', { name: 'make-tea' }), FINISH])
  const task = await startConversation(service, {
    selected_repository: git.url('shop'),
    initial_message: said('Change it'),
    title: 'Tea',
  })
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const seen = await watch(service, params.conversation_id)
  await seen.untilStatus('finished')
  await service.client.call(sendMessage, { params, body: { ...said('Tea'), run: true } })
  const isRead = () => seen.of('ObservationEvent').find(({ tool_name }) => tool_name === 'invoke_skill')
  await seen.until(() => isRead() !== undefined)
  const text = textOf(isRead()?.observation.content ?? [])
  expect(text).toContain('`echo changed-$((40 + 2))` was not run')
  expect(text).not.toContain('changed-42')
  await seen.close()
})
