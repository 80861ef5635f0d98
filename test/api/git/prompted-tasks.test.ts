import { expect } from 'vitest'
import { publishCallOf } from '../../../server/api/event/publish.ts'
import { respondToConfirmation } from '../../../server/api/v1/conversation/actions.ts'
import { getPullRequestStatus } from '../../../server/api/v1/git/pull-request-status.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import type { ModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { call } from '../../parts/client/legacy.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'
import { PROVIDER_TOKEN, startGithubWithRepositories, storeToken } from '../../parts/provider-repository.ts'

const it = base
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startGithubWithRepositories({ 'README.md': 'A repository.\n', 'slow.sh': 'sleep 9\n' })
    onCleanup(() => remote.close())
    return remote
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-test',
  }))
  .extend('serviceOptions', { scope: 'file' }, ({ settings }) => ({
    settings: { ...settings, allowed_hosts: ['host.docker.internal'] },
  }))
  .extend('onRemote', { scope: 'file' }, ({ remote }) => (repository: string, ...args: string[]) => {
    return remote.git.git(repository, ...args)
  })
  .extend('opened', { scope: 'file' }, ({ remote }) => () => {
    return remote.provider.pullRequests.opened
  })
  /** Starts as a client of the legacy generation does, and lets the agent carry its turns out up to what it asks for. */
  .extend(
    'start',
    { scope: 'file' },
    ({ model, service }) =>
      async (body: object, turns: Parameters<ModelServer['setScript']>[0]) => {
        model.setScript(turns)
        const before = model.requests.length
        const made = await call(service, 'POST', '/api/conversations', body)
        expect(made.status).toBe(200)
        const { conversation_id } = made.body as { conversation_id: string }
        await model.request(before)
        const seen = await watch(service, conversation_id)
        const waiting = await seen.untilStatus('waiting_for_confirmation')
        const [message] = seen.of('MessageEvent')
        const prompt = textOf(message?.llm_message.content ?? [])
        const tools: string[] = model.requests
          .at(-1)
          ?.body.tools.map((each: { function: { name: string } }) => each.function.name)
        return { params: { conversation_id }, seen, prompt, tools, from: 'seq' in waiting ? waiting.seq : 0 }
      },
  )
  .extend(
    'agree',
    { scope: 'file' },
    ({ service }) =>
      async ({ params, seen, from }: { params: { conversation_id: string }; seen: Watch; from: number }) => {
        await service.client.call(respondToConfirmation, { params, body: { accept: true } })
        await seen.untilStatus('finished', from)
        expect(seen.of('AgentErrorEvent')).toEqual([])
        expect(JSON.stringify(seen.events())).not.toContain(PROVIDER_TOKEN)
        await seen.close()
      },
  )

it.beforeAll(async ({ service, remote }) => {
  await storeToken(service, remote.provider, 'github')
})

const tool = (name: string, args: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: args }] })
const run = (command: string) => tool('terminal', { command })
const FINISH = tool('finish', { message: 'Done.' })

/** Tools that a prompt names, as the agent has to call them. */
const namedIn = (prompt: string) => [...new Set(prompt.match(/\b(?:push_branch|open_pull_request)\b/g))]

it('an issue that waits leads to a branch, a file and a pull request, once a person has agreed', async ({
  service,
  start,
  agree,
  onRemote,
  opened,
}) => {
  const listed = await call(service, 'GET', '/api/user/suggested-tasks')
  const tasks = listed.body as { task_type: string; repo: string }[]
  const suggested_task = tasks.find(({ task_type }) => task_type === 'OPEN_ISSUE')
  expect(suggested_task).toMatchObject({ repo: 'octocat/spoon', issue_number: 9 })
  const conversation = await start({ suggested_task }, [
    run('cd /workspace/project/spoon; git checkout -qb fix-9; echo "sleep 1" >slow.sh; git commit -qam "Sleep less"'),
    tool('open_pull_request', { title: 'Sleep less', body: 'Fixes #9.' }),
    FINISH,
  ])
  expect(conversation.prompt).toContain('Resolve issue #9 ("It is slow") in the repository octocat/spoon')
  expect(namedIn(conversation.prompt)).toEqual(['open_pull_request'])
  expect(conversation.tools).toEqual(expect.arrayContaining(['open_pull_request', 'push_branch']))
  await agree(conversation)
  expect(await onRemote('octocat/spoon', 'show', 'fix-9:slow.sh')).toBe('sleep 1\n')
  expect(opened().at(-1)).toMatchObject({
    kind: 'github',
    repository: 'octocat/spoon',
    head: 'fix-9',
    base: 'main',
    asked: { title: 'Sleep less', body: 'Fixes #9.' },
  })
})

it('a pull request whose checks fail is mended on its own branch, which is then the one in the header', async ({
  onRemote,
  opened,
  start,
  agree,
  service,
}) => {
  const tree = (await onRemote('octocat/hello', 'rev-parse', 'main^{tree}')).trim()
  const author = ['-c', 'user.name=B', '-c', 'user.email=b@example.invalid']
  const sha = (await onRemote('octocat/hello', ...author, 'commit-tree', tree, '-p', 'main', '-m', 'Break it')).trim()
  await onRemote('octocat/hello', 'update-ref', 'refs/heads/broken', sha)
  const asked = { title: 'Failing' }
  while (opened().length < 1)
    opened().push({ kind: 'github', repository: 'octocat/hello', head: 'x', base: 'main', asked })
  opened()[1] = { kind: 'github', repository: 'octocat/hello', head: 'broken', base: 'main', asked }
  const suggested_task = {
    git_provider: 'github',
    task_type: 'FAILING_CHECKS',
    repo: 'octocat/hello',
    issue_number: 2,
    title: 'Failing',
  }
  const conversation = await start({ suggested_task }, [
    run(
      'cd /workspace/project/hello; git checkout -q broken; echo mended >mended.txt; git add -A; git commit -qm "Mend it"',
    ),
    tool('push_branch'),
    FINISH,
  ])
  expect(conversation.prompt).toContain('Make the failing checks of pull request #2 ("Failing")')
  expect(namedIn(conversation.prompt)).toEqual(['push_branch'])
  const action = conversation.seen.of('ActionEvent').at(-1)
  expect(action && publishCallOf(action)?.plan).toMatchObject({ branch: 'broken', commits: 1, uncommitted: 0 })
  await agree(conversation)
  expect(await onRemote('octocat/hello', 'log', '-2', '--format=%s', 'broken')).toBe('Mend it\nBreak it\n')
  const status = await service.client.call(getPullRequestStatus, { params: conversation.params })
  expect(status).toMatchObject({ pull_request: { number: 2 }, state: 'OPEN', branch: 'broken' })
})

it('instructions for agents come as one file in a pull request', async ({ start, agree, onRemote, opened }) => {
  const file = '---\nname: tests\ntriggers:\n  - testing\n---\nRun `make test`.\n'
  const path = '.openhands/microagents/tests.md'
  const create_microagent = { repo: 'octocat/hello', git_provider: 'github', title: 'Tests' }
  const conversation = await start({ create_microagent }, [
    tool('file_editor', { command: 'create', path: `/workspace/project/hello/${path}`, file_text: file }),
    run(
      'cd /workspace/project/hello; git checkout -qb tell-about-tests; git add -A; git commit -qm "Tell about tests"',
    ),
    tool('open_pull_request', { title: 'Tell agents about tests', body: 'As asked.' }),
    FINISH,
  ])
  expect(conversation.prompt).toContain('the repository octocat/hello about: Tests')
  expect(namedIn(conversation.prompt)).toEqual(['open_pull_request'])
  await agree(conversation)
  expect(await onRemote('octocat/hello', 'show', `tell-about-tests:${path}`)).toBe(file)
  expect(await onRemote('octocat/hello', 'diff', '--name-only', 'main', 'tell-about-tests')).toBe(`${path}\n`)
  expect(opened().at(-1)).toMatchObject({ repository: 'octocat/hello', head: 'tell-about-tests', base: 'main' })
})
