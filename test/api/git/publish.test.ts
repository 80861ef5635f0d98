import { expect } from 'vitest'
import { publishCallOf } from '../../../server/api/event/publish.ts'
import { respondToConfirmation } from '../../../server/api/v1/conversation/actions.ts'
import {
  listAppConversations,
  runConversation,
  sendMessage,
} from '../../../server/api/v1/conversation/conversations.ts'
import { commitChanges } from '../../../server/api/v1/git/commits.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'
import {
  type InRepository,
  PROVIDER_TOKEN,
  pushSeen,
  startInRepository,
  startProviderWithRepository,
  storeToken,
} from '../../parts/provider-repository.ts'

const it = base
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startProviderWithRepository()
    onCleanup(() => remote.close())
    return remote
  })
  .extend('model', { scope: 'file' }, async ({ remote }, { onCleanup }) => {
    await remote.git.add('team/other', { 'public.txt': 'public\n' })
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-test',
  }))
  .extend('serviceOptions', { scope: 'file' }, ({ settings }) => ({
    settings: { ...settings, allowed_hosts: ['host.docker.internal'] },
  }))
  .extend(
    'respond',
    { scope: 'file' },
    ({ service }) =>
      ({ params }: InRepository, accept: boolean, fields: object = {}) => {
        return service.client.call(respondToConfirmation, { params, body: { accept, ...fields } })
      },
  )
  /** Of the tools that publish, those that the model was last told of. */
  .extend('offered', { scope: 'file' }, ({ model }) => () => {
    return model.requests
      .at(-1)
      ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
      .filter((name: string) => name === 'push_branch' || name === 'open_pull_request')
  })
  .extend('remoteHas', { scope: 'file' }, ({ remote }) => (branch: string) => {
    return remote.git.git('team/tool', 'log', '-1', '--format=%s', branch).catch(() => 'no such branch')
  })
  /** A conversation that never asks for confirmation, with a commit on `branch` that the remote has not. */
  .extend(
    'withCommit',
    { scope: 'file' },
    ({ service }) =>
      async (branch: string): Promise<{ conversation: InRepository; seen: Watch }> => {
        const conversation = await startInRepository(service)
        const { params } = conversation
        await conversation.run(`echo ${branch} >${branch}.txt`)
        await service.client.call(commitChanges, { params, body: { message: `Add ${branch}`, new_branch: branch } })
        await conversation.run('echo more >left.txt')
        return { conversation, seen: await watch(service, params.conversation_id) }
      },
  )
  .extend(
    'ask',
    { scope: 'file' },
    ({ model, service }) =>
      async ({ params }: InRepository, turns: object[]): Promise<void> => {
        model.setScript(turns as never)
        await service.client.call(sendMessage, { params, body: said('Publish it.') })
      },
  )

it.beforeAll(async ({ service, remote }) => {
  await storeToken(service, remote.provider)
})

const call = (name: string, args: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = call('finish', { message: 'Done.' })

it('the agent’s push waits for a person under every policy, says what would be sent, and sends exactly that', async ({
  withCommit,
  ask,
  remoteHas,
  respond,
  service,
}) => {
  const { conversation, seen } = await withCommit('pushed')
  await ask(conversation, [call('push_branch'), FINISH])
  const waiting = await seen.untilStatus('waiting_for_confirmation')
  const [asked] = seen.of('ActionEvent')
  expect(asked).toMatchObject({ security_risk: 'HIGH', action: { kind: 'MCPToolAction' } })
  expect(asked && publishCallOf(asked)).toMatchObject({
    plan: { remote: 'origin', branch: 'pushed', default_branch: 'main', commits: 1, uncommitted: 1 },
    request: null,
  })
  expect(await remoteHas('pushed')).toBe('no such branch')
  await respond(conversation, true, { always_allow: true })
  await seen.untilStatus('finished', 'seq' in waiting ? waiting.seq : 0)
  expect(await remoteHas('pushed')).toBe('Add pushed\n')
  expect(seen.of('ObservationEvent')[0]?.observation).toMatchObject({ kind: 'MCPToolObservation', is_error: false })
  expect(JSON.stringify(seen.events())).not.toContain(PROVIDER_TOKEN)
  expect(await conversation.run(`grep -rs ${PROVIDER_TOKEN} /workspace /tmp /root || echo CLEAN`)).toBe('CLEAN\n')
  const query = { ids: [conversation.params.conversation_id] }
  const found = await service.client.call(listAppConversations, { query })
  expect(found).toMatchObject([{ always_allowed: [] }])
  await ask(conversation, [call('push_branch'), FINISH])
  await expect
    .poll(() => seen.of('AgentErrorEvent').map(({ error }) => error))
    .toEqual(['origin has all commits of pushed already. Commit first.'])
  await seen.close()
})

it('a pull request is opened with its branch, once a person has said yes to its words', async ({
  withCommit,
  ask,
  remote,
  respond,
  remoteHas,
}) => {
  const { conversation, seen } = await withCommit('requested')
  await ask(conversation, [call('open_pull_request', { title: 'Add it', body: 'Because.' }), FINISH])
  const waiting = await seen.untilStatus('waiting_for_confirmation')
  const [asked] = seen.of('ActionEvent')
  expect(asked && publishCallOf(asked)).toMatchObject({
    plan: { commits: 1 },
    request: { title: 'Add it', body: 'Because.', draft: false },
  })
  const before = remote.provider.pullRequests.opened.length
  await respond(conversation, true)
  const done = await seen.untilStatus('finished', 'seq' in waiting ? waiting.seq : 0)
  expect(remote.provider.pullRequests.opened.slice(before)).toMatchObject([{ asked: { title: 'Add it' } }])
  expect(await remoteHas('requested')).toBe('Add requested\n')
  await ask(conversation, [call('open_pull_request', { title: 'Again' }), FINISH])
  const again = await seen.untilStatus('waiting_for_confirmation', 'seq' in done ? done.seq : 0)
  await respond(conversation, true)
  await seen.untilStatus('finished', 'seq' in again ? again.seq : 0)
  expect(remote.provider.pullRequests.opened).toHaveLength(before + 1)
  expect(JSON.stringify(seen.of('ObservationEvent').map(({ observation }) => observation.content))).toMatch(
    /Opened #\d+: http[\s\S]*already/,
  )
  await seen.close()
})

it('nothing is sent when a person says no, nor when the branch is another one by then', async ({
  withCommit,
  ask,
  respond,
  model,
  service,
  remoteHas,
}) => {
  const { conversation, seen } = await withCommit('refused')
  await ask(conversation, [call('push_branch'), FINISH])
  await seen.untilStatus('waiting_for_confirmation')
  await respond(conversation, false, { reason: 'Not yet.' })
  const idle = await seen.untilStatus('idle')
  model.setScript([call('push_branch'), FINISH])
  await service.client.call(runConversation, { params: conversation.params })
  const waiting = await seen.untilStatus('waiting_for_confirmation', 'seq' in idle ? idle.seq : 0)
  await conversation.run('git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m Later')
  await respond(conversation, true)
  await seen.untilStatus('finished', 'seq' in waiting ? waiting.seq : 0)
  expect(seen.of('AgentErrorEvent')[0]?.error).toContain('its last commit is another one')
  expect(await remoteHas('refused')).toBe('no such branch')
  await seen.close()
})

it.for<[string, Record<string, unknown>, string]>([
  ['push_branch', {}, 'leaves'],
  ['open_pull_request', { title: 'Elsewhere' }, 'leaves-too'],
  ['open_pull_request', { title: 'Elsewhere' }, 'already-there'],
])(
  '%s goes nowhere but where the card says, when the sandbox changes its remote meanwhile',
  async ([name, args, branch], { withCommit, service, ask, remote, respond }) => {
    const { conversation, seen } = await withCommit(branch)
    if (branch === 'already-there') await pushSeen(service, conversation)
    await ask(conversation, [call(name, args), FINISH])
    const waiting = await seen.untilStatus('waiting_for_confirmation')
    await conversation.run('git remote set-url origin "$(git remote get-url origin | sed s,team/tool,team/other,)"')
    const before = remote.provider.pullRequests.opened.length
    await respond(conversation, true)
    await seen.untilStatus('finished', 'seq' in waiting ? waiting.seq : 0)
    expect(seen.of('AgentErrorEvent')[0]?.error).toContain('The repository is not as the request names it')
    expect(remote.provider.pullRequests.opened).toHaveLength(before)
    expect(await remote.git.git('team/other', 'branch', '--format=%(refname:short)')).toBe('main\n')
    await seen.close()
  },
)

it('is asked for alone, and not offered without a repository or a token', async ({
  withCommit,
  ask,
  offered,
  remoteHas,
  model,
  service,
}) => {
  const { conversation, seen } = await withCommit('alone')
  const two = { toolCalls: [call('terminal', { command: 'true' }), call('push_branch')].flatMap(one => one.toolCalls) }
  await ask(conversation, [two, FINISH])
  await seen.untilStatus('finished')
  expect(seen.of('AgentErrorEvent')[0]?.error).toContain('Call push_branch alone')
  expect(offered()).toEqual(['push_branch', 'open_pull_request'])
  expect(await remoteHas('alone')).toBe('no such branch')
  await seen.close()
  model.setScript([FINISH])
  const task = await startConversation(service, { initial_message: said('Go') })
  const elsewhere = await watch(service, task.app_conversation_id ?? '')
  await elsewhere.untilStatus('finished')
  expect(offered()).toEqual([])
  await elsewhere.close()
})
