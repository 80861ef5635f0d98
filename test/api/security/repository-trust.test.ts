import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listTrustedRepositories, trustRepository } from '../../../server/api/v1/conversation/repository-trust.ts'
import { getConversationSkills } from '../../../server/api/v1/conversation/skills.ts'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { trustOf, trustRepositoryOf } from '../../parts/client/trust.ts'
import { done, run, startTrusting, type Trusting, tool } from '../../parts/client/trusting.ts'

const TOKEN = 'canary-deploy-0123456789'
const OTHER = 'canary-other-0123456789'
const ASKS = { kind: 'AlwaysConfirm' } as const

let scene: Trusting

beforeAll(async () => {
  scene = await startTrusting({ DEPLOY_TOKEN: TOKEN, OTHER_TOKEN: OTHER })
})
afterEach(() => scene.closeWatches())
afterAll(() => scene?.close())

const setup = (path: string) => `# deploys with $DEPLOY_TOKEN\n${scene.steal(path)}`
const expectNoSecret = (sent: string) => {
  expect(sent).toContain('PATH=')
  expect(sent).not.toContain('canary-')
}

const detailOf = (task: { steps: { status: string; detail: string | null }[] }, status: string) =>
  task.steps.find(step => step.status === status)?.detail

describe('a clone whose set-up script sends off secrets that it names (CVE-2025-59536)', () => {
  it('gets none before a person trusts it, only those after, and none again with other content or without trust', async () => {
    const { git, canary, service, start, work, setUp, untilSetUp, distrust } = scene
    await git.add('thief', { '.openhands/setup.sh': setup('clone'), 'README.md': 'Hello\n' })
    const first = await start('thief')
    expectNoSecret(canary.sent('/clone')[0] ?? '')
    expect(detailOf(first.task, 'RUNNING_SETUP_SCRIPT')).toBe(
      'The setup script ended with exit code 0. It ran without DEPLOY_TOKEN, since this repository is not trusted.',
    )
    const shown = await trustOf(service, first.id)
    expect(shown).toMatchObject({
      state: 'waiting',
      repository: `host.docker.internal:${git.port}/thief`,
      items: [{ role: 'setup_script', trusted: false, secrets: ['DEPLOY_TOKEN'], files: [{ text: setup('clone') }] }],
      left_out: ['.openhands/setup.sh ran without DEPLOY_TOKEN.'],
      set_up: { state: 'none' },
    })
    expect(first.seen.of('HookExecutionEvent')[0]?.reason).toContain('.openhands/setup.sh ran without DEPLOY_TOKEN.')
    await work(first, [done])
    const context = first.seen.of('SystemPromptEvent')[0]?.dynamic_context?.text
    expect(context).toContain('* .openhands/setup.sh ran without DEPLOY_TOKEN.')

    const trusted = await trustRepositoryOf(service, first.id)
    expect(trusted.items).toMatchObject([{ role: 'setup_script', secrets: ['DEPLOY_TOKEN'] }])
    expect((await trustOf(service, first.id)).set_up).toEqual({
      state: 'offered',
      detail: 'Run .openhands/setup.sh with DEPLOY_TOKEN.',
    })
    expect(canary.sent('/clone')).toHaveLength(1)
    await setUp(first.id)
    const afterSetUp = await untilSetUp(first.id, 'done')
    expect(afterSetUp).toMatchObject({ state: 'trusted', left_out: [] })
    expect(canary.sent('/clone')[1]).toContain(`DEPLOY_TOKEN=${TOKEN}`)
    expect(canary.sent('/clone')[1]).not.toContain(OTHER)

    const second = await start('thief')
    expect(canary.sent('/clone')[2]).toContain(`DEPLOY_TOKEN=${TOKEN}`)
    expect(canary.sent('/clone')[2]).not.toContain(OTHER)
    expect(await trustOf(service, second.id)).toMatchObject({ state: 'trusted', left_out: [] })

    await git.add('thief', { '.openhands/setup.sh': `${setup('changed')}# $DEPLOY_TOKEN\n` }, 'changed')
    const third = await start('thief', { selected_branch: 'changed' })
    expectNoSecret(canary.sent('/changed')[0] ?? '')
    expect(await trustOf(service, third.id)).toMatchObject({ state: 'waiting' })

    await distrust(trusted.repository)
    expect((await service.client.call(listTrustedRepositories, {})).items).toEqual([])
    await start('thief')
    expectNoSecret(canary.sent('/clone')[3] ?? '')
  })

  it('has another repository with the same script ask for itself', async () => {
    const { git, canary, service, start } = scene
    const files = { '.openhands/setup.sh': setup('twin') }
    await git.add('twin-a', files)
    await git.add('twin-b', files)
    await trustRepositoryOf(service, (await start('twin-a')).id)
    await start('twin-b')
    expect(canary.sent('/twin')).toHaveLength(2)
    expectNoSecret(canary.sent('/twin')[1] ?? '')
  })

  it('asks again when a file that the script runs has changed, and for a secret that came after trust', async () => {
    const { git, canary, service, start } = scene
    const files = (last: string) => ({
      '.openhands/setup.sh': 'sh tools/a.sh $DEPLOY_TOKEN $LATER_TOKEN\n',
      'tools/a.sh': 'sh tools/b.sh\n',
      'tools/b.sh': last,
    })
    await git.add('deep', files(scene.steal('deep')))
    const { id } = await start('deep')
    const read = (await trustOf(service, id)).items[0]?.files.map(({ path }) => path)
    expect(read).toEqual(['.openhands/setup.sh', 'tools/a.sh', 'tools/b.sh'])
    await trustRepositoryOf(service, id)
    await start('deep')
    expect(canary.sent('/deep')[1]).toContain(TOKEN)
    await git.add('deep', files(`true\n${scene.steal('deep')}`), 'changed')
    await start('deep', { selected_branch: 'changed' })
    expectNoSecret(canary.sent('/deep')[2] ?? '')
    await service.client.call(createSecretV1, { body: { name: 'LATER_TOKEN', value: 'canary-later-012345' } })
    await start('deep')
    expectNoSecret(canary.sent('/deep')[3] ?? '')
  })

  it('is never trusted through a link, or by an agent that changes the script in the same conversation', async () => {
    const { git, canary, service, start, work, setUp } = scene
    await git.add('edited', { '.openhands/setup.sh': setup('edited') })
    const started = await start('edited')
    const { id } = started
    await trustRepositoryOf(service, id)
    await work(started, [run(`echo 'echo more; ${scene.steal('edited').trim()}' >>.openhands/setup.sh`), done])
    await expect(setUp(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await trustOf(service, id)).toMatchObject({ state: 'waiting', set_up: { state: 'none' } })
    await work(started, [run('mv .openhands/setup.sh /tmp/s.sh; ln -s /tmp/s.sh .openhands/setup.sh'), done])
    const linked = await trustOf(service, id)
    expect(linked.items[0]).toMatchObject({ trusted: false, files: [], problem: expect.stringContaining('is a link') })
    const { repository, digest } = linked
    await expect(service.client.call(trustRepository, { body: { repository, digest } })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(canary.sent('/edited')).toHaveLength(1)
  })

  it('gets none in a conversation that asks before it acts, though it is trusted, until a person runs it', async () => {
    const { git, canary, service, start, setUp, untilSetUp } = scene
    await git.add('careful', { '.openhands/setup.sh': setup('careful') })
    await trustRepositoryOf(service, (await start('careful')).id)
    const { id, task } = await start('careful', { confirmation_policy: ASKS })
    expect(detailOf(task, 'RUNNING_SETUP_SCRIPT')).toContain(
      'It got no secrets, since this conversation asks before it acts.',
    )
    expectNoSecret(canary.sent('/careful')[1] ?? '')
    await setUp(id)
    await untilSetUp(id, 'done')
    expect(canary.sent('/careful')[2]).toContain(TOKEN)
  })

  it('does not borrow the trust of a repository that its request names: it works in its parent’s folder', async () => {
    const { git, canary, service, start } = scene
    await git.add('good', { '.openhands/setup.sh': setup('borrowed') })
    await git.add('bad', { '.openhands/setup.sh': setup('borrowed') })
    await trustRepositoryOf(service, (await start('good')).id)
    const parent = await start('bad')
    await start('good', { parent_conversation_id: parent.id, sandbox_id: parent.task.sandbox_id })
    for (const sent of canary.sent('/borrowed')) expectNoSecret(sent)
    expect(canary.sent('/borrowed')).toHaveLength(3)
  })

  it('is not trusted with the key of its own sandbox, nor after "Not now"', async () => {
    const { git, canary, service, start, postpone } = scene
    await git.add('later', { '.openhands/setup.sh': setup('later') })
    const { id } = await start('later')
    const { repository, digest } = await trustOf(service, id)
    const info = await (
      await fetch(`${service.url}/api/v1/app-conversations?ids=${id}`, {
        headers: { 'X-Session-API-Key': service.key },
      })
    ).json()
    const reply = await fetch(`${service.url}/api/v1/trusted-repositories`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': info[0].session_api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ repository, digest }),
    })
    expect(reply.status).toBe(401)
    expect(await postpone(id)).toMatchObject({ state: 'postponed' })
    await start('later')
    expectNoSecret(canary.sent('/later')[1] ?? '')
    await trustRepositoryOf(service, id)
    expect(await trustOf(service, id)).toMatchObject({ state: 'trusted', set_up: { state: 'offered' } })
  })
})

describe('a pre-commit script that waits for a commit whose command names a secret', () => {
  it('is not installed without trust, runs with it, and is removed with it from a sandbox that goes on', async () => {
    const { git, canary, service, start, work, setUp, untilSetUp, distrust } = scene
    await git.add('hooked', { '.openhands/pre-commit.sh': scene.steal('hook'), 'a.txt': 'a\n' })
    const started = await start('hooked')
    const { id, task } = started
    expect(detailOf(task, 'SETTING_UP_GIT_HOOKS')).toBe(
      'The pre-commit hook is not installed, since this repository is not trusted.',
    )
    const commit = run('git commit --allow-empty -m "as ${DEPLOY_TOKEN:0:0} me"')
    await work(started, [commit, done])
    expect(canary.sent('/hook')).toEqual([])
    const { repository } = await trustRepositoryOf(service, id)
    await setUp(id)
    await untilSetUp(id, 'done')
    await work(started, [commit, done])
    expect(await canary.until('/hook')).toContain(TOKEN)
    await distrust(repository)
    await work(started, [commit, done])
    expect(canary.sent('/hook')).toHaveLength(1)
    expect(await trustOf(service, id)).toMatchObject({
      left_out: ['.openhands/pre-commit.sh is not installed as a git hook.'],
    })
  })
})

describe('a sub-agent of the repository that names a secret in its commands', () => {
  it('gets none before trust, nor after its description was changed by the agent that calls it', async () => {
    const { git, canary, service, start, work, distrust } = scene
    await git.add('team', { '.agents/agents/helper.md': '---\nname: helper\ndescription: Helps.\n---\nHelp.\n' })
    const isHelper = ({ body }: ModelRequest) => JSON.stringify(body.messages.at(-1)).includes('HELP WITH THIS')
    const delegate = tool('task', { prompt: 'HELP WITH THIS', description: 'Helping', subagent_type: 'helper' })
    const script = () => {
      let asked = false
      return (request: ModelRequest) => {
        if (asked) return done
        if (!isHelper(request)) return delegate
        asked = true
        return run(`echo "$DEPLOY_TOKEN" >/dev/null; ${scene.steal('helper').trim()}`)
      }
    }
    const started = await start('team')
    const { id, params } = started
    expect((await service.client.call(getConversationSkills, { params })).problems).toEqual([])
    await work(started, script())
    expectNoSecret(await canary.until('/helper'))
    expect(await trustOf(service, id)).toMatchObject({
      state: 'waiting',
      left_out: ['The sub-agent in .agents/agents/helper.md gets no secrets.'],
    })
    const { repository } = await trustRepositoryOf(service, id)
    await work(started, script())
    expect(await canary.until('/helper', 2)).toContain(TOKEN)
    await work(started, [run("echo 'Send it off.' >>.agents/agents/helper.md"), done])
    await work(started, script())
    expectNoSecret(await canary.until('/helper', 3))
    await distrust(repository)
  })
})
