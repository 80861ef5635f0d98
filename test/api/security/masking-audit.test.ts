import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { condenseConversation } from '../../../server/api/v1/conversation/actions.ts'
import { getConversationChanges } from '../../../server/api/v1/conversation/workspace.ts'
import { testMcpServer } from '../../../server/api/v1/settings/mcp-states.ts'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { codesOf, formsOf } from '../../../server/secret/mask/encoded-forms.ts'
import { MCP_STDIO_SERVER } from '../../fakes/mcp-stdio-server.ts'
import type { ModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { call, watchLegacy } from '../../parts/client/legacy.ts'
import { configure, sandboxKeyOf } from '../../parts/client/tool-servers.ts'
import { trustOf } from '../../parts/client/trust.ts'
import { run, tool } from '../../parts/client/trusting.ts'
import { watch } from '../../parts/client/watch.ts'
import { watchSocket } from '../../parts/client/watch-gateway.ts'
import type { GitServer } from '../../parts/git-server.ts'
import type { TestService } from '../../parts/service/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: MODEL_KEY, allowed_hosts: ['host.docker.internal'] }),
  }))
  .extend('audit', { scope: 'file' }, async ({ model, git, service }, { onCleanup }) => {
    const audit = await beginAudit(model, git, service)
    onCleanup(async () => {
      await audit.seen.close()
      audit.older.close()
    })
    return audit
  })

const SECRET = 'canary-audit-4f0c9d2e1b'
const MODEL_KEY = 'canary-model-77aa01d3c5'

// Not within the time of the first test.
it.beforeAll(({ audit: _ }) => {}, 120_000)

/** Everything that a repository brings along says the secret, as if somebody had committed it. */
const files = {
  'loud.txt': `${SECRET}\n`,
  '.openhands/setup.sh': `echo ${SECRET}; echo ${SECRET} | base64\n`,
  '.openhands/hooks.json': JSON.stringify({
    PostToolUse: [
      { matcher: 'terminal', hooks: [{ type: 'command', command: `echo ${SECRET}; echo ${SECRET} >&2; exit 1` }] },
    ],
  }),
  '.openhands/microagents/loud.md': `---\nname: loud\ntriggers: [shout]\n---\nSay ${SECRET}.\n`,
  '.openhands/microagents/repo.md': `Always say ${SECRET}.\n`,
  '.agents/agents/loud.md': `---\nname: loud\ndescription: Says ${SECRET}.\n---\nSay it.\n`,
}

/** A conversation that has said the secret in each way that it can, and what watches it. */
async function beginAudit(model: ModelServer, git: GitServer, service: TestService) {
  await service.client.call(createSecretV1, { body: { name: 'AUDIT_TOKEN', value: SECRET } })
  await git.add('loud', files)
  const loudServer = `import os, sys\nsys.stderr.write(os.environ['AUDIT'] + '\\n')\n${MCP_STDIO_SERVER}`
  await configure(service, {
    stdio_servers: [
      { name: 'loud', command: 'python3', args: ['-c', loudServer], env: { AUDIT: '$AUDIT_TOKEN' } },
      { name: 'broken', command: 'sh', args: ['-c', 'echo "$AUDIT" >&2; exit 3'], env: { AUDIT: '$AUDIT_TOKEN' } },
    ],
  })
  model.setTitles(() => ({ text: `About ${SECRET}` }))
  model.setScript([
    { text: `I know ${SECRET}.`, reasoning: `It is ${SECRET}.`, ...run('cat loud.txt; echo $AUDIT_TOKEN') },
    run('echo more >>loud.txt; git log --format=%s'),
    tool('file_editor', { command: 'view', path: '/workspace/project/loud/loud.txt' }),
    tool('think', { thought: `So it is ${SECRET}.` }),
    tool('task_tracker', { command: 'plan', task_list: [{ title: SECRET, notes: SECRET, status: 'todo' }] }),
    tool('grep', { pattern: 'canary', path: '/workspace/project/loud' }),
    tool('echo', { text: 'It is $AUDIT_TOKEN.' }),
    tool('environment', { name: 'AUDIT' }),
    tool('finish', { message: `It was ${SECRET}.` }),
  ])
  const task = await startConversation(service, {
    selected_repository: git.url('loud'),
    initial_message: said('Please shout'),
  })
  const id = task.app_conversation_id ?? ''
  const older = watchLegacy(service, id)
  const seen = await watch(service, id)
  await seen.untilStatus('finished')
  const caller = gatewayCaller(service, await sandboxKeyOf(service, id))
  const bash = await watchSocket(caller, '/sockets/bash-events')

  const at = async (path: string) => {
    const { status, body } = await call(service, 'GET', path)
    expect([status, path]).toEqual([200, path])
    return JSON.stringify(body)
  }
  const gateway = async (method: string, path: string, body?: unknown) => {
    const reply = await caller.call(method, path, body)
    return JSON.stringify(reply.body)
  }
  return { model, git, service, id, taskId: task.id, seen, older, caller, bash, at, gateway }
}

type Audit = Awaited<ReturnType<typeof beginAudit>>

const inFolder = '/workspace/project/loud'

/** By where it leaves the service. `shown` is what has to be there, so that no exit is empty by mistake. */
const EXITS: Record<string, { text: (audit: Audit) => Promise<string>; shown?: string }> = {
  'the events of the newer generation': {
    text: ({ at, id }) => at(`/api/v1/conversation/${id}/events/search?limit=100`),
  },
  'the events of the older generation': { text: ({ at, id }) => at(`/api/conversations/${id}/events?limit=100`) },
  'the event socket, with the answer as it grew': {
    text: async ({ seen }) => JSON.stringify(seen.frames),
    shown: 'StreamingDeltaEvent',
  },
  'the socket of the older generation': { text: async ({ older }) => JSON.stringify(older.frames) },
  'the trajectory of the older generation': { text: ({ at, id }) => at(`/api/conversations/${id}/trajectory`) },
  'the downloaded conversation': {
    text: async ({ service, id }) => {
      const { body } = await call(service, 'GET', `/api/v1/app-conversations/${id}/download`)
      return unzipped(body as Buffer)
    },
  },
  'the title, and the list of conversations': {
    text: async ({ seen, at }) => {
      await seen.until(frame => 'key' in frame && frame.key === 'title')
      return at('/api/v1/app-conversations/search')
    },
    shown: 'About <secret-hidden>',
  },
  'the details of the start': {
    text: ({ at, taskId }) => at(`/api/v1/app-conversations/start-tasks?ids=${taskId}`),
    shown: 'exit code 0',
  },
  'the details of a start that failed': {
    text: async ({ service, git }) => {
      const failed = await startConversation(service, { selected_repository: git.url(`no-${SECRET}`) })
      expect(failed.status).toBe('ERROR')
      return JSON.stringify([failed.detail, failed.steps])
    },
  },
  'the skills of a conversation': { text: ({ at, id }) => at(`/api/v1/app-conversations/${id}/skills`) },
  'the hooks of a conversation': { text: ({ at, id }) => at(`/api/v1/app-conversations/${id}/hooks`) },
  'the microagents of a conversation': { text: ({ at, id }) => at(`/api/conversations/${id}/microagents`) },
  'what a repository runs': { text: async ({ service, id }) => JSON.stringify(await trustOf(service, id)) },
  'the changed files of a conversation': {
    text: async ({ service, id, at }) => {
      const changes = await service.client.call(getConversationChanges, { params: { conversation_id: id } })
      return JSON.stringify([changes, await at(`/api/v1/app-conversations/${id}/git/diff?path=loud.txt`)])
    },
  },
  'the changed files of the older generation': {
    text: ({ at, id }) => at(`/api/conversations/${id}/git/diff?path=loud/loud.txt`),
  },
  'the changed files of the gateway': {
    text: ({ gateway }) => gateway('GET', `/api/git/diff?path=${inFolder}/loud.txt`),
  },
  'the skills of the gateway': { text: ({ gateway }) => gateway('POST', '/api/skills', { project_dir: inFolder }) },
  'the hooks of the gateway': { text: ({ gateway }) => gateway('POST', '/api/hooks', { project_dir: inFolder }) },
  'the sub-agents of the gateway': {
    text: ({ gateway }) => gateway('POST', '/api/sub-agents', { project_dir: inFolder }),
  },
  'a command of the gateway': {
    text: ({ gateway }) =>
      gateway('POST', '/api/bash/execute_bash_command', { command: `cat ${inFolder}/loud.txt; echo ${SECRET} >&2` }),
  },
  'the history of commands of the gateway': { text: ({ gateway }) => gateway('GET', '/api/bash/bash_events/search') },
  'the socket of commands of the gateway': { text: async ({ bash }) => JSON.stringify(bash.frames) },
  'the events of the gateway': {
    text: ({ gateway, id }) => gateway('GET', `/api/conversations/${id}/events/search?limit=100`),
  },
  'the tool servers, with what they log and why they failed': {
    text: ({ at, id }) => at(`/api/v1/app-conversations/${id}/mcp-servers`),
    shown: 'exit code 3',
  },
  'the test of a tool server': {
    text: async ({ service }) => {
      const args = ['-c', 'echo "$AUDIT" >&2; exit 3']
      const server = { command: 'sh', args, env: { AUDIT: '$AUDIT_TOKEN' } }
      return JSON.stringify(await service.client.call(testMcpServer, { body: { server } }))
    },
  },
  'the answer to a side question': {
    text: async ({ model, gateway, id }) => {
      model.setScript([{ text: `It is ${SECRET}.` }])
      return gateway('POST', `/api/conversations/${id}/ask_agent`, { question: 'What is it?' })
    },
  },
  'a failure of the model that repeats its key and a secret': {
    text: async ({ model, seen, service, id }) => {
      model.setScript([{ refusal: { status: 400, message: `Bad key ${MODEL_KEY}, and ${SECRET} too` } }])
      const from = seen.events().length
      await call(service, 'POST', `/api/v1/app-conversations/${id}/send-message`, said('Again'))
      await seen.untilStatus('error', from)
      return JSON.stringify(seen.events().slice(from))
    },
    shown: 'ConversationErrorEvent',
  },
  'a summary of the history': {
    text: async ({ model, service, id, seen, at }) => {
      model.setScript([{ text: `It was all about ${SECRET}.` }, tool('finish', { message: 'Done.' })])
      await service.client.call(condenseConversation, { params: { conversation_id: id } })
      await call(service, 'POST', `/api/v1/app-conversations/${id}/send-message`, said('Go on'))
      await seen.until(frame => 'kind' in frame && frame.kind === 'Condensation')
      return at(`/api/v1/conversation/${id}/events/search?limit=100&sort_order=TIMESTAMP_DESC`)
    },
  },
  'a conversation that a sandbox reports': {
    text: async ({ service, caller, at }) => {
      const report = { id: 'a'.repeat(32), title: `About ${SECRET}` }
      const event = {
        id: 'reported-1',
        kind: 'ConversationErrorEvent',
        source: 'environment',
        code: 'x',
        detail: SECRET,
      }
      await fetch(`${service.url}/api/v1/webhooks/conversations`, reported(caller.key, report))
      await fetch(`${service.url}/api/v1/webhooks/events/${report.id}`, reported(caller.key, [event]))
      return JSON.stringify([
        await at('/api/v1/app-conversations/search'),
        await at(`/api/v1/conversation/${report.id}/events/search`),
      ])
    },
  },
  'an error that repeats a path': {
    text: ({ gateway }) => gateway('GET', `/api/file/download?path=/tmp/no-${SECRET}`),
    shown: 'detail',
  },
}

const reported = (key: string, body: unknown) => ({
  method: 'POST',
  headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** What the files of an archive say. */
function unzipped(zip: Buffer): string {
  const texts: string[] = []
  for (let from = zip.indexOf('PK\x01\x02'); from !== -1; from = zip.indexOf('PK\x01\x02', from + 4)) {
    const [method, size, start] = [
      zip.readUInt16LE(from + 10),
      zip.readUInt32LE(from + 20),
      zip.readUInt32LE(from + 42),
    ]
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const packed = zip.subarray(data, data + size)
    texts.push((method === 0 ? packed : inflateRawSync(packed)).toString())
  }
  return texts.join('\n')
}

describe('a stored secret is masked in', () => {
  it.for(Object.entries(EXITS))('%s', async ([_name, { text, shown = 'secret-hidden' }], { audit, service }) => {
    const said = await text(audit)
    expect(said).toContain(shown)
    for (const value of [SECRET, MODEL_KEY, service.key]) {
      for (const form of [...formsOf(value), ...codesOf(value)]) {
        const place = form.length < 12 ? -1 : said.indexOf(form)
        expect(place === -1 ? null : said.slice(Math.max(0, place - 200), place + 50)).toBeNull()
      }
    }
  })
})

describe('a secret that a command names is given to it, and masked in what it prints:', () => {
  it.for<[string, string, string, string]>([
    ['the person’s own', 'AUDIT_TOKEN', SECRET, 'printf %s "$AUDIT_TOKEN" | tee /tmp/given'],
    [
      'named in small letters',
      'AUDIT_TOKEN',
      SECRET,
      ': audit_token; printf %s "$(printenv AUDIT_TOKEN)" | tee /tmp/given',
    ],
    ['of the conversation', 'OWN', 'canary-own-11d2c3b4a5', 'printf %s "${OWN}" | tee /tmp/given'],
    ['whose name no shell takes', 'my-key', 'canary-dash-9f8e7d6c5b', 'printf %s "$my_key" | tee /tmp/given'],
    ['that an address is asked for', 'ASKED', 'canary-asked-0a1b2c3d4e', 'printf %s "$ASKED" | tee /tmp/given'],
  ])('%s', async ([_name, name, value, command], { service, model }) => {
    const vault = createServer((_request, reply) => reply.end(value)).listen(0, '127.0.0.1')
    await once(vault, 'listening')
    const host = `127.0.0.1:${(vault.address() as AddressInfo).port}`
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: [host] } })
    const asked = { kind: 'LookupSecret' as const, url: `http://${host}/`, headers: {} }
    const secrets = name === 'AUDIT_TOKEN' ? {} : { [name]: name === 'ASKED' ? asked : value }
    model.setScript([run(command), run('wc -c </tmp/given'), tool('finish', { message: 'Done.' })])
    const task = await startConversation(service, { secrets, initial_message: said('Go') })
    const own = await watch(service, task.app_conversation_id ?? '')
    await own.untilStatus('finished')
    const results = own.of('ObservationEvent').map(({ observation }) => JSON.stringify(observation))
    expect(results[0]).toContain('<secret-hidden>')
    expect(results[1]).toContain(`"text":"${value.length}`)
    expect(JSON.stringify(own.frames)).not.toContain(value)
    await own.close()
    vault.close()
  })
})
