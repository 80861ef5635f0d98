import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../../server/api/event/events.ts'
import { parseConversationId } from '../../../server/domain/ids.ts'
import { openCalls } from '../../../server/event/model-messages.ts'
import { aComputer, type Computer, settled } from '../computer.ts'
import * as given from './a-folder.ts'

let computer: Computer
let folder = ''
beforeEach(() => {
  computer = aComputer()
})
afterEach(async () => {
  await computer.remove()
  rmSync(folder, { recursive: true, force: true })
})

type Asked = { settings?: boolean; conversations?: boolean; secrets?: boolean }

function lookInto(files: Record<string, unknown>) {
  folder = given.aFolder(files)
  return settled(computer, computer.dataImports.readFolder(folder))
}

async function add(import_id: string, { settings = false, ...asked }: Asked = {}) {
  return settled(computer, await computer.dataImports.start(import_id, { settings, passphrase: null, ...asked }))
}

function logOf(id: string): Event[] {
  return computer.eventLog.read(parseConversationId(id), 0, 1000)
}

const kindsOf = (events: Event[]) =>
  events.map(event =>
    event.kind === 'ActionEvent'
      ? event.action?.kind
      : event.kind === 'ObservationEvent'
        ? event.observation.kind
        : event.kind,
  )

test('a log of the first generation becomes one of today', async () => {
  const { import_id, contents } = await lookInto(given.firstGeneration())
  expect(contents).toMatchObject({
    counts: { conversations: 1 },
    app_version: null,
    problems: [],
    unreadable_events: 0,
  })
  const { state, result } = await add(import_id)
  expect([state, result?.problems, result?.added.conversations]).toEqual(['imported', [], 1])
  expect(computer.conversations.get(parseConversationId(given.FIRST_ID))).toMatchObject({
    ...{ title: 'The failing test', title_is_default: false, selected_repository: 'me/app', selected_branch: 'main' },
    ...{ git_provider: 'github', trigger: 'gui', created_at: '2025-06-02T09:00:00.000Z', sandbox_id: '' },
    stats: { usage_to_metrics: { default: { accumulated_cost: 0.02 } } },
  })
  const log = logOf(given.FIRST_ID)
  expect(kindsOf(log)).toEqual([
    ...['SystemPromptEvent', 'MessageEvent', 'TerminalAction', 'ConversationStateUpdateEvent', 'TerminalObservation'],
    ...['FileEditorAction', 'FileEditorObservation', 'FileEditorAction', 'MCPToolAction', 'FinishAction'],
    ...['FinishObservation', 'AgentErrorEvent', 'AgentErrorEvent'],
  ])
  expect(log[2]).toMatchObject({
    tool_name: 'terminal',
    thought: [{ text: 'I look at the tests.' }],
    security_risk: 'LOW',
  })
  expect(log[2]?.timestamp).toBe('2025-06-02T09:00:03.123Z')
  expect(log[4]).toMatchObject({
    action_id: log[2]?.id,
    observation: { exit_code: 1, content: [{ text: '1 failed' }] },
  })
  expect(log[6]).toMatchObject({ observation: { old_content: 'a', new_content: 'b', command: 'str_replace' } })
  expect(log[8]).toMatchObject({ tool_name: 'teleport', action: { data: { where: 'home' } } })
  expect(openCalls(log)).toEqual([])
})

test('a log of the second generation is ordered by its times, and named by the database, which may be locked', async () => {
  folder = given.aFolder(given.timedEvents())
  const database = given.aDatabase(folder)
  database.exec('BEGIN EXCLUSIVE')
  const before = snapshot(folder)
  const { import_id, contents } = await settled(computer, computer.dataImports.readFolder(folder))
  expect(contents).toMatchObject({ counts: { conversations: 1 }, problems: [] })
  await add(import_id)
  expect(snapshot(folder)).toEqual(before)
  database.close()
  expect(computer.conversations.get(parseConversationId(given.SECOND_ID))).toMatchObject({
    ...{ title: 'The time', selected_repository: 'me/clock', pr_number: [7], updated_at: '2025-11-02T09:00:05.000Z' },
  })
  const log = logOf(given.SECOND_ID)
  expect(kindsOf(log)).toEqual([
    ...[
      'MessageEvent',
      'TerminalAction',
      'TerminalObservation',
      'ConversationStateUpdateEvent',
      'ConversationErrorEvent',
    ],
  ])
  expect(log.map(({ id }) => id).slice(0, 4)).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(log[2]).toMatchObject({ action_id: 'a2', observation: { exit_code: 0, content: [{ text: 'Monday' }] } })
  expect(log[4]).toMatchObject({ code: 'event_unknown', detail: expect.stringContaining('WeatherEvent') })
})

test("an agent server's own log is read in the order of its numbers", async () => {
  const { import_id } = await lookInto(given.numberedEvents())
  await add(import_id)
  expect(computer.conversations.get(parseConversationId(given.NUMBERED_ID))).toMatchObject({
    ...{ title: 'Say the time', llm_model: 'anthropic/claude', working_dir: '/workspace/project' },
    ...{ execution_status: 'finished', max_iterations: 77 },
  })
  expect(logOf(given.NUMBERED_ID)).toHaveLength(5)
})

test('a second import of the same folder adds nothing', async () => {
  const { import_id } = await lookInto({ ...given.firstGeneration(), ...given.firstGeneration('a-name-of-ones-own') })
  expect((await add(import_id)).result?.added.conversations).toBe(2)
  const again = await settled(computer, computer.dataImports.readFolder(folder))
  expect(again.contents?.present.conversations).toBe(2)
  expect((await add(again.import_id)).result).toMatchObject({ added: { conversations: 0 }, kept: { conversations: 2 } })
})

describe('settings and secrets', () => {
  const files = {
    ...given.firstGeneration(given.FIRST_ID, [
      {
        id: 0,
        timestamp: '2025-06-02T09:00:00',
        source: 'user',
        action: 'message',
        args: { content: 'It is npm-of-a-person' },
      },
    ]),
    'settings.json': given.SETTINGS,
    'secrets.json': given.SECRETS,
  }

  test('are shown without values, and taken only where they are asked for', async () => {
    const { import_id, contents } = await lookInto(files)
    expect(contents).toMatchObject({
      ...{ has_settings: true, has_secret_values: true, secret_names: ['NPM_TOKEN'], provider_tokens: ['github'] },
      problems: ['A token is of a git provider that is not known here.'],
    })
    expect(contents?.settings.map(({ name }) => name).sort()).toEqual(['language', 'llm_model', 'max_iterations'])
    expect(JSON.stringify(contents)).not.toMatch(/key-of-the-model|ghp_of|npm-of/)
    await add(import_id)
    expect(await computer.secrets.secrets.list()).toEqual([])
    expect(computer.settings.read().language).toBeNull()
  })

  test('go to the keychain, and are hidden in what was said', async () => {
    await computer.secrets.secrets.create({ name: 'OTHER', value: 'stays-as-it-is' })
    const { import_id } = await lookInto(files)
    const { result } = await add(import_id, { settings: true, secrets: true })
    expect(result).toMatchObject({ problems: [], added: { secrets: 1 }, provider_tokens: ['github'], settings: 3 })
    expect((await computer.secrets.secrets.list()).map(({ name }) => name).sort()).toEqual(['NPM_TOKEN', 'OTHER'])
    expect(await computer.vault.get('llm_api_key')).toBe('key-of-the-model')
    expect((await computer.settings.toolServers()).config?.shttp_servers).toHaveLength(1)
    expect(JSON.stringify(logOf(given.FIRST_ID))).not.toContain('npm-of-a-person')
    expect(JSON.stringify(result)).not.toMatch(/key-of-the-model|ghp_of|npm-of/)
  })

  test('of tool servers are hidden in what was said too', async () => {
    const said = 'Use key-of-the-tools-server and value-of-the-variable.'
    const event = { id: 0, source: 'user', action: 'message', args: { content: said } }
    const { import_id } = await lookInto({
      ...given.firstGeneration(given.FIRST_ID, [event]),
      'settings.json': {
        mcp_config: {
          sse_servers: [{ url: 'https://tools.example/sse', api_key: 'key-of-the-tools-server' }],
          stdio_servers: [{ name: 'files', command: 'npx', env: { FILES_TOKEN: 'value-of-the-variable' } }],
        },
      },
    })
    await add(import_id)
    expect(JSON.stringify(logOf(given.FIRST_ID))).not.toMatch(/key-of-the-tools-server|value-of-the-variable/)
  })

  test('of newer versions lie in parts', async () => {
    const llm = { model: 'anthropic/x', api_key: 'key-of-newer', base_url: null }
    const { import_id } = await lookInto({
      'settings.json': {
        agent_settings: { llm, mcp_config: { mcpServers: { files: { command: 'npx', args: ['files'] } } } },
        conversation_settings: { max_iterations: 12 },
        llm_profiles: { profiles: { Default: llm, 'bad name!': llm }, active: 'Default' },
      },
    })
    const { result } = await add(import_id, { settings: true, secrets: true })
    expect(result).toMatchObject({ problems: [], added: { models: 1 } })
    expect(computer.settings.read()).toMatchObject({ llm_model: 'anthropic/x', max_iterations: 12 })
    expect((await computer.settings.toolServers()).config?.stdio_servers).toMatchObject([
      { name: 'files', command: 'npx' },
    ])
  })
})

describe('what is hostile', () => {
  test('is noted in its place, and nothing waits, follows links or runs out of memory', async () => {
    const at = `sessions/${given.FIRST_ID}/events`
    folder = given.aFolder({
      ...given.firstGeneration(given.FIRST_ID, given.FIRST_EVENTS.slice(0, 2)),
      [`${at}/3.json`]: '{"id": 3, "action": "mess',
      [`${at}/4.json`]: `${'['.repeat(5000)}${']'.repeat(5000)}`,
      [`${at}/5.json`]: '',
      [`${at}/6.json`]: '[1,2]',
      [`${at}/7.json`]: { id: {}, timestamp: 7, source: [], action: 'run', args: 'no' },
      [`${at}/8.json`]: { id: 8, cause: 'x', source: 'agent', observation: 'run', content: 5, extras: null },
      'outside.json': { id: 1, source: 'user', action: 'message', args: { content: 'from outside' } },
      'openhands.db': 'no database',
      'secrets.json': '{',
    })
    truncateSync(join(folder, at, '5.json'), 1024 ** 3)
    execFileSync('mkfifo', [join(folder, at, '9.json')])
    symlinkSync(join(folder, 'outside.json'), join(folder, at, '10.json'))
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'conversations'))
    writeFileSync(Buffer.concat([Buffer.from(join(folder, 'sessions/')), Buffer.from([0xff, 0xfe])]), 'x')
    writeFileSync(join(folder, 'settings.json'), '"text"')
    const { state, import_id, contents } = await settled(computer, computer.dataImports.readFolder(folder))
    expect([state, contents?.unreadable_events]).toEqual(['checked', 3])
    expect(contents?.problems).toHaveLength(2)
    await add(import_id)
    const log = logOf(given.FIRST_ID)
    expect(log.filter(event => event.kind === 'ConversationErrorEvent')).toHaveLength(4)
    expect(JSON.stringify(log)).not.toContain('from outside')
    expect(openCalls(log)).toEqual([])
  })

  test('is refused in words where there is nothing', async () => {
    expect(await lookInto({ 'notes.txt': 'x' })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('nothing of OpenHands'),
    })
    const missing = await settled(computer, computer.dataImports.readFolder(join(folder, 'missing')))
    expect(missing.problem).toContain('There is no such folder')
    expect(() => computer.dataImports.readFolder('relative')).toThrow('whole path')
  })

  test('of twenty thousand events is read in bounded memory', async () => {
    const events = Array.from({ length: 20_000 }, (_, id) => ({
      ...{ id, timestamp: '2025-06-02T09:00:00', source: 'user', action: 'message', args: { content: `No. ${id}` } },
    }))
    folder = given.aFolder(given.firstGeneration(given.FIRST_ID, events))
    const { import_id } = await settled(computer, computer.dataImports.readFolder(folder))
    expect((await add(import_id)).result?.added).toMatchObject({ conversations: 1, events: 20_000 })
  })
})

/** Names, sizes and times of everything. */
function snapshot(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => `${name} ${statSync(join(path, name)).size} ${statSync(join(path, name)).mtimeMs}`)
}
