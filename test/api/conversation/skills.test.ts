import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect } from 'vitest'
import { forkConversation } from '../../../server/api/v1/conversation/actions.ts'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { getConversationHooks, getConversationSkills } from '../../../server/api/v1/conversation/skills.ts'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { call } from '../../parts/client/legacy.ts'
import { trustRepositoryOf } from '../../parts/client/trust.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('shop', FILES)
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789', allowed_hosts: ['host.docker.internal'] }),
  }))
  /** Writes into the user's folder of this machine. */
  .extend('own', { scope: 'file' }, ({ service }) => (path: string, text: string): void => {
    const file = join(service.dataDir, 'home', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  })
  .extend('start', { scope: 'file' }, ({ service, git }) => async (repository: string, text: string) => {
    const task = await startConversation(service, {
      selected_repository: git.url(repository),
      initial_message: said(text),
      title: 'Skills',
    })
    expect(task.detail).toBeNull()
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    watches.push(seen)
    return { id, task, seen, sandbox: task.sandbox_id ?? '' }
  })

const watches: Watch[] = []

const SECRET = 'tok-0123456789abcdef'
const HOOK = `#!/bin/sh
input=$(cat)
case $input in *forbidden*) echo 'Not with us.' >&2; exit 2 ;; esac
printf '{"additionalContext": "checked by the repository"}'
`
const FILES = {
  'AGENTS.md': 'Run make check.\n',
  'api/AGENTS.md': 'REST only here.\n',
  'api/routes.txt': 'GET /\n',
  '.openhands/microagents/deploy.md': '---\nname: deploy\ntriggers: [deploy]\n---\nAsk Anna before you deploy.\n',
  '.openhands/microagents/broken.md': '---\n: [\n---\nStill text.\n',
  '.agents/skills/make-tea/SKILL.md': '---\nname: make-tea\ndescription: Use for tea.\n---\nBoil water first.\n',
  '.agents/skills/make-tea/scripts/boil.sh': 'echo boiled\n',
  '.openhands/hooks.json': JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: 'terminal', hooks: [{ type: 'command', command: 'sh .openhands/check.sh', timeout: 10 }] },
      ],
      SessionEnd: [{ hooks: [{ command: 'echo ended >/tmp/ended' }] }],
      SessionStart: [{ hooks: [{ command: 'echo started >>/tmp/hooks.log' }] }],
      Stop: [
        {
          hooks: [{ command: '[ -e /tmp/tested ] || { touch /tmp/tested; echo "Run the tests first." >&2; exit 2; }' }],
        },
      ],
    },
  }),
  '.openhands/check.sh': HOOK,
  '.openhands/setup.sh': [
    "printf '#!/bin/sh\\necho local >>/tmp/commits\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    'printf %s "$DEPLOY_TOKEN" | wc -c >/tmp/length',
    '[[ bash == bash ]] && echo "the token is $DEPLOY_TOKEN"',
    'exit 3',
  ].join('\n'),
  '.openhands/pre-commit.sh': '#!/bin/sh\necho repo >>/tmp/commits\n! grep -rq FORBIDDEN src 2>/dev/null\n',
}

it.beforeAll(async ({ own, service, git }) => {
  own('.agents/skills/coffee/SKILL.md', '---\nname: coffee\ndescription: Use for coffee.\n---\nGrind.')
  own('.agents/skills/coffee/scripts/grind.sh', 'echo ground')
  own('.openhands/microagents/style.md', 'Answer briefly.')
  await call(service, 'POST', '/api/secrets', { name: 'DEPLOY_TOKEN', value: SECRET, description: '' })
  const { app_conversation_id } = await startConversation(service, { selected_repository: git.url('shop') })
  await trustRepositoryOf(service, app_conversation_id ?? '')
})

afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
})

const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const done = tool('finish', { message: 'Done.' })
const run = (command: string) => tool('terminal', { command })

describe('what a repository says to agents', () => {
  it('is told, runs, blocks and comes up as the agent works', async ({ model, start, service }) => {
    model.setScript([
      run('cat api/routes.txt'),
      run('echo forbidden'),
      tool('invoke_skill', { name: 'make-tea' }),
      tool('invoke_skill', { name: 'coffee' }),
      run('sh /tmp/user-skills/coffee/scripts/grind.sh; cat /tmp/hooks.log /tmp/length'),
      tool('invoke_skill', { name: 'nothing' }),
      done,
      done,
    ])
    const { id, task, seen } = await start('shop', 'Please DEPLOY the shop')
    await seen.untilStatus('finished')

    const setup = task.steps.find(step => step.status === 'RUNNING_SETUP_SCRIPT')
    expect(setup?.detail).toBe('The setup script ended with exit code 3. It said: the token is <secret-hidden>')
    expect(task.steps.find(step => step.status === 'SETTING_UP_GIT_HOOKS')?.detail).toContain('is installed')

    const [prompt] = seen.of('SystemPromptEvent')
    const context = prompt?.dynamic_context?.text ?? ''
    expect(context).toContain('<repository_file path="AGENTS.md">\nRun make check.')
    expect(context).toContain('* make-tea: Use for tea.\n* coffee: Use for coffee.')
    expect(context).toContain("# The user's standing instructions\n\nAnswer briefly.")
    expect(context).not.toContain('REST only here')
    expect(prompt?.tools.map(({ name }) => name)).toContain('invoke_skill')

    const [message] = seen.of('MessageEvent')
    expect(message?.activated_skills).toEqual(['deploy'])
    expect(message?.extended_content[0]?.text).toContain('Ask Anna before you deploy.')
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('Ask Anna before you deploy.')

    const [first] = seen.of('ObservationEvent')
    const given = first?.extended_content?.map(({ text }) => text) ?? []
    expect(given[0]).toBe('checked by the repository')
    expect(given[1]).toContain('REST only here.')
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('REST only here.')

    const [rejected] = seen.of('UserRejectObservation')
    expect(rejected).toMatchObject({ rejection_source: 'hook', rejection_reason: 'Not with us.' })

    const skills = seen.of('ObservationEvent').filter(({ tool_name }) => tool_name === 'invoke_skill')
    const texts = skills.map(({ observation }) => textOf(observation.content))
    expect(texts[0]).toContain('Boil water first.')
    expect(texts[0]).toContain('Its files are in /workspace/project/shop/.agents/skills/make-tea:\nscripts/boil.sh')
    expect(texts[1]).toContain('Its files are in /tmp/user-skills/coffee:\nscripts/grind.sh')
    expect(texts[2]).toContain('There is no skill "nothing". Skills: make-tea, coffee.')
    const ground = seen
      .of('ObservationEvent')
      .filter(({ tool_name }) => tool_name === 'terminal')
      .at(-1)
    expect(textOf(ground?.observation.content ?? [])).toMatch(/ground\s+started\s+20/)

    const hooks = seen.of('HookExecutionEvent')
    expect(hooks.map(({ hook_event_type, blocked }) => [hook_event_type, blocked])).toEqual([
      ['SessionStart', false],
      ['PreToolUse', false],
      ['PreToolUse', true],
      ['PreToolUse', false],
      ['Stop', true],
      ['Stop', false],
    ])
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Run the tests first.')
    expect(JSON.stringify(seen.frames)).not.toContain(SECRET)
    await service.client.call(deleteAppConversation, { params: { conversation_id: id } })
  })

  it('is shown with what is wrong with it, and read anew', async ({ model, start, service }) => {
    model.setScript([run('touch /tmp/tested; sed -i s/Anna/Bob/ .openhands/microagents/deploy.md'), done])
    const { id, seen } = await start('shop', 'Change it')
    await seen.untilStatus('finished')
    const params = { conversation_id: id }
    const { skills, problems } = await service.client.call(getConversationSkills, { params })
    expect(skills.map(({ name, type, source }) => [name, type, source])).toEqual([
      ['make-tea', 'agentskills', 'repository'],
      ['broken', 'repo', 'repository'],
      ['deploy', 'knowledge', 'repository'],
      ['AGENTS', 'repo', 'repository'],
      ['api/AGENTS', 'knowledge', 'repository'],
      ['coffee', 'agentskills', 'user'],
      ['style', 'repo', 'user'],
    ])
    expect(skills[2]).toMatchObject({ content: 'Ask Bob before you deploy.\n', triggers: ['deploy'] })
    expect(problems).toEqual([expect.stringContaining('broken.md: its front matter is not YAML')])
    const { hooks } = await service.client.call(getConversationHooks, { params })
    expect(hooks.map(({ event_type }) => event_type)).toEqual(['pre_tool_use', 'session_start', 'session_end', 'stop'])
    expect(hooks[0]?.matchers).toEqual([
      {
        matcher: 'terminal',
        hooks: [{ type: 'command', command: 'sh .openhands/check.sh', timeout: 10, async: false }],
      },
    ])
    const legacy = (await call(service, 'GET', `/api/conversations/${id}/microagents`)).body as {
      microagents: { name: string }[]
    }
    expect(legacy.microagents.map(({ name }) => name)).toContain('deploy')
  })

  it('comes up while the sandbox is paused, once, also in a fork and after the app was opened again', async ({
    model,
    start,
    service,
  }) => {
    model.setScript([{ text: 'Hello.' }, { text: 'Yes.' }])
    const { id, seen, sandbox } = await start('shop', 'Hello')
    await seen.untilStatus('finished')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    await seen.close()
    await service.restart()
    const send = async (conversation: string, text: string) => {
      await call(service, 'POST', `/api/v1/app-conversations/${conversation}/send-message`, {
        ...said(text),
        run: false,
      })
      const reply = await call(
        service,
        'GET',
        `/api/v1/conversation/${conversation}/events/search?kind__eq=MessageEvent&limit=100`,
      )
      const { items } = reply.body as { items: { source: string; activated_skills: string[] }[] }
      return items.filter(({ source }) => source === 'user').at(-1)?.activated_skills
    }
    expect(await send(id, 'now deploy')).toEqual(['deploy'])
    expect(await send(id, 'deploy again')).toEqual([])
    const fork = await service.client.call(forkConversation, { params: { conversation_id: id }, body: {} })
    expect(await send(fork.id, 'deploy in the fork')).toEqual([])
    expect(await send(fork.id, '/make-tea please')).toEqual(['make-tea'])
  })

  it('keeps commits that its check refuses out, after the check that was there', async ({ model, start }) => {
    model.setScript([
      run(
        'touch /tmp/tested; mkdir src; echo FORBIDDEN >src/a; git add src; git commit -qm no; echo "first $?"; echo fine >src/a; git add src; git commit -qm yes; echo "second $?"; cat /tmp/commits',
      ),
      done,
    ])
    const { seen } = await start('shop', 'Commit')
    await seen.untilStatus('finished')
    const text = textOf(seen.of('ObservationEvent')[0]?.observation.content ?? [])
    expect(text).toMatch(/first 1\s+second 0\s+local\s+repo\s+local\s+repo/)
  })
})

describe('the gateway', () => {
  it('lists the skills and hooks of a folder, and tells the hooks when a conversation ends', async ({
    model,
    start,
    service,
  }) => {
    model.setScript([{ text: 'Hello.' }, { text: 'They are run.' }])
    const { id, sandbox, seen } = await start('shop', 'Hello')
    await seen.untilStatus('finished')
    const info = await call(service, 'GET', `/api/v1/sandboxes?id=${sandbox}`)
    const [{ session_api_key: key }] = info.body as [{ session_api_key: string }]
    const gateway = gatewayCaller(service, key)
    const project_dir = '/workspace/project/shop'
    const all = await gateway.call('POST', '/api/skills', { project_dir })
    expect(all).toMatchObject({ status: 200, body: { sources: { project: 5, user: 2, public: 0, org: 0 } } })
    expect(all.body.skills[0]).toMatchObject({
      name: 'make-tea',
      type: 'agentskills',
      is_agentskills_format: true,
      disable_model_invocation: false,
    })
    const users = await gateway.call('POST', '/api/skills', { load_project: false })
    expect(users.body.skills.map(({ name }: { name: string }) => name)).toEqual(['coffee', 'style'])
    const hooks = await gateway.call('POST', '/api/hooks', { project_dir })
    expect(hooks.body.hook_config.pre_tool_use).toEqual([
      { matcher: 'terminal', hooks: [expect.objectContaining({ command: 'sh .openhands/check.sh', timeout: 10 })] },
    ])
    expect((await gateway.call('POST', '/api/hooks', { project_dir: '/tmp' })).body).toEqual({ hook_config: null })
    expect((await gateway.call('POST', '/api/skills', { project_dir: '/nowhere' })).status).toBe(404)
    expect((await gateway.call('DELETE', `/api/conversations/${id}`)).status).toBe(200)
    const ended = await gateway.call('POST', '/api/bash/execute_bash_command', { command: 'cat /tmp/ended' })
    expect(ended.body.stdout).toBe('ended\n')
    for (const path of ['/api/skills', '/api/hooks']) {
      expect((await gateway.call('POST', path, { project_dir: '../etc' })).status).toBe(400)
      expect((await gatewayCaller(service, 'wrong').call('POST', path, {})).status).toBe(401)
    }
  })
})
