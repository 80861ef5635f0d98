import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { aComputer, type Computer, checked, conversationWith, exported, imported, said, textsOf } from './computer.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const PASSPHRASE = 'correct horse battery'
const CANARIES = [
  'canary-model-key-1',
  'canary-secret-two',
  'canary-profile-key3',
  'canary-token-four',
  'canary-tool-five5',
]
const [MODEL_KEY = '', SECRET = '', PROFILE_KEY = '', TOKEN = '', TOOL_KEY = ''] = CANARIES

let first: Computer
let second: Computer
beforeEach(() => {
  first = aComputer()
  second = aComputer()
})
afterEach(async () => {
  await first.remove()
  await second.remove()
})

async function prepare(computer: Computer): Promise<void> {
  await computer.settings.save({
    llm_model: 'openai/gpt-5',
    llm_api_key: MODEL_KEY,
    git_user_name: 'Ada',
    max_iterations: 77,
    mcp_config: {
      sse_servers: [],
      stdio_servers: [],
      shttp_servers: [{ url: 'https://tool.example/mcp', api_key: TOOL_KEY }],
    } as never,
  })
  await computer.secrets.secrets.create({ name: 'NPM_TOKEN', value: SECRET, description: 'For npm' })
  await computer.secrets.tokens.merge({ github: { token: TOKEN } })
  await computer.profiles.save('Fast', { model: 'openai/gpt-5-mini', base_url: null, api_key: PROFILE_KEY })
  await computer.specs.create(
    sandboxSpecRequest.parse({
      title: 'Node',
      image: 'node:24',
      initial_env: { MODE: 'test' },
      limits: { memory_bytes: 2 ** 30, cpus: 2, pids: null, disk_bytes: null },
    }),
  )
}

describe('everything', () => {
  it('goes to another computer in one file', async () => {
    await prepare(first)
    const one = conversationWith(first, 450, {
      title: 'Fix the parser',
      llm_model: 'openai/gpt-5',
      pr_number: [7],
      pinned_at: NOW,
    })
    const child = conversationWith(first, 0, { title: 'A part of it', parent_conversation_id: one.id })
    const { shown, bytes } = await exported(first, { passphrase: PASSPHRASE })
    expect(shown).toMatchObject({ has_secret_values: true, bytes: bytes.length, progress: { events: 450 } })

    const { contents } = await checked(second, bytes)
    expect(contents).toMatchObject({
      app_version: '1.2.3',
      counts: { conversations: 2, events: 450, models: 1, specs: 1, secrets: 1 },
      present: { conversations: 0, models: 0, specs: 0, secrets: 0 },
      has_secret_values: true,
      secret_names: ['NPM_TOKEN'],
    })
    expect(second.conversations.get(one.id)).toBeUndefined()

    const { state, result } = await imported(second, bytes, { settings: true, passphrase: PASSPHRASE })
    expect(state).toBe('imported')
    expect(result).toMatchObject({
      added: { conversations: 2, events: 450, models: 1, specs: 1, secrets: 1 },
      settings_kept: [],
      secrets_without_value: [],
      provider_tokens: ['github'],
      problems: [],
    })
    expect(second.eventLog.read(one.id, 0, 1000)).toEqual(first.eventLog.read(one.id, 0, 1000))
    expect(second.conversations.get(one.id)).toMatchObject({
      title: 'Fix the parser',
      pr_number: [7],
      pinned_at: NOW,
      sandbox_id: '',
    })
    expect(second.conversations.get(child.id)).toMatchObject({ parent_conversation_id: one.id })
    expect(second.settings.read()).toMatchObject({
      llm_model: 'openai/gpt-5',
      git_user_name: 'Ada',
      max_iterations: 77,
    })
    expect(
      second.vault
        .entries()
        .map(([, value]) => value)
        .join(),
    ).toSatisfy((kept: string) => CANARIES.every(canary => kept.includes(canary)))
    expect((await second.profiles.choice('Fast')).apiKey).toBe(PROFILE_KEY)
    expect((await second.specs.own())[0]).toMatchObject({
      title: 'Node',
      image: 'node:24',
      initialEnv: { MODE: 'test' },
    })
    // It goes on as a log does.
    expect(second.eventLog.append(one.id, newEvent(0)).seq).toBe(450)
  })

  it('holds no value of a secret without a passphrase, and none in the clear with one', async () => {
    await prepare(first)
    const { id } = conversationWith(first, 2)
    // Said before it was a secret: no mask has seen it.
    first.database.run(
      `UPDATE event SET body = replace(body, 'something', 'later-a-secret') WHERE conversation_id = ?`,
      [id],
    )
    first.conversations.update(id, { title: 'About later-a-secret' })
    await first.secrets.secrets.create({ name: 'LATER', value: 'later-a-secret' })
    const without = await textsOf((await exported(first)).bytes)
    expect(without).not.toContain('secret-values.json')
    const passed = await exported(first, { passphrase: PASSPHRASE })
    const sealed = await textsOf(passed.bytes)
    expect(sealed).toContain('secret-values.json')
    for (const text of [without, sealed, passed.bytes.toString('latin1')]) {
      for (const canary of [...CANARIES, 'later-a-secret', PASSPHRASE]) expect(text).not.toContain(canary)
    }
    expect(without).toContain('NPM_TOKEN')
  })

  it('is what it was where a secret is an ordinary word or number', async () => {
    const conversation = conversationWith(first, 3, { agent_type: 'default', title: 'By default' })
    const event = said('It is default, with "quotes", in 123456 parts.')
    const { seq } = first.eventLog.append(conversation.id, event)
    const tool = first.eventLog.append(conversation.id, newEvent(0))
    await first.settings.save({ git_user_name: 'default', max_iterations: 123_456 })
    for (const [name, value] of Object.entries({
      A: 'default',
      B: '123456',
      C: 'MessageEvent',
      D: 'action',
      E: 'agent_type',
    }))
      await first.secrets.secrets.create({ name, value })
    await first.secrets.secrets.create({ name: 'ID', value: tool.id })
    const { result } = await imported(second, (await exported(first)).bytes, { settings: true })
    expect(result).toMatchObject({ added: { conversations: 1, events: 5 }, problems: [], settings_kept: [] })
    expect(second.conversations.get(conversation.id)).toMatchObject({
      agent_type: 'default',
      title: 'By <secret-hidden>',
    })
    const stored = second.eventLog.read(conversation.id, 0, 10)
    expect(stored.map(({ kind, id }) => [kind, id])).toEqual(
      first.eventLog.read(conversation.id, 0, 10).map(({ kind, id }) => [kind, id]),
    )
    expect(JSON.stringify(stored[seq])).toContain('It is <secret-hidden>, with')
    expect(second.settings.read()).toMatchObject({ git_user_name: '<secret-hidden>', max_iterations: 123_456 })
  })

  it('opens its secrets with their passphrase alone, and changes nothing for another one', async () => {
    await prepare(first)
    const { bytes } = await exported(first, { passphrase: PASSPHRASE })
    const { import_id } = await checked(second, bytes)
    const wrong = second.dataImports.start(import_id, { settings: true, passphrase: 'correct horse batterie' })
    await expect(wrong).rejects.toThrow(/passphrase does not open/)
    expect(second.settings.exist()).toBe(false)
    expect(second.backups.list()).toEqual([])
    await second.dataImports.start(import_id, { settings: false, passphrase: PASSPHRASE })
    await expect.poll(() => second.dataImports.get(import_id).state).toBe('imported')
  })

  it('stays as it is where it is there already', async () => {
    const here = conversationWith(second, 3, { title: 'Mine' })
    const theirs = conversationWith(first, 5, { id: here.id, title: 'Theirs' })
    const other = conversationWith(first, 1)
    await second.secrets.secrets.create({ name: 'NPM_TOKEN', value: 'here-before' })
    await prepare(first)
    const { bytes } = await exported(first, { passphrase: PASSPHRASE })
    expect((await checked(second, bytes)).contents?.present).toMatchObject({ conversations: 1, secrets: 1 })
    const { result } = await imported(second, bytes, { passphrase: PASSPHRASE })
    expect(result).toMatchObject({ added: { conversations: 1 }, kept: { conversations: 1, secrets: 1 }, settings: 0 })
    expect(second.conversations.get(theirs.id)?.title).toBe('Mine')
    expect(second.eventLog.lastSeq(here.id)).toBe(2)
    expect(second.eventLog.lastSeq(other.id)).toBe(0)
    expect(second.settings.exist()).toBe(false)
    // And once more: nothing is new.
    expect((await imported(second, bytes)).result).toMatchObject({
      added: { conversations: 0 },
      kept: { conversations: 2 },
    })
  })

  it('sends no key that is stored to an address that the file names', async () => {
    await first.settings.save({
      llm_model: 'openai/theirs',
      llm_base_url: 'https://elsewhere.example/v1',
      git_user_name: 'Eve',
    })
    await second.settings.save({ llm_model: 'openai/mine', llm_api_key: 'sk-mine-alone' })
    const { result } = await imported(second, (await exported(first)).bytes, { settings: true })
    expect(result?.settings_kept).toEqual(['llm_model', 'llm_base_url'])
    expect(second.settings.read()).toMatchObject({ llm_model: 'openai/mine', llm_base_url: null, git_user_name: 'Eve' })
  })

  it('says which secrets have no value, and can be undone with the backup', async () => {
    await prepare(first)
    conversationWith(first, 1)
    const { result } = await imported(second, (await exported(first)).bytes)
    expect(result).toMatchObject({ secrets_without_value: ['NPM_TOKEN'], added: { secrets: 0 } })
    expect(readdirSync(join(second.folder, 'backups'))).toEqual([result?.backup])
  })
})

describe('an import', () => {
  it('that is given up keeps whole conversations alone', async () => {
    const small = conversationWith(first, 10, { created_at: '2020-01-01T00:00:00.000Z' })
    const large = conversationWith(first, 30_000)
    const { import_id } = await checked(second, (await exported(first)).bytes)
    await second.dataImports.start(import_id, { settings: false, passphrase: null })
    await expect.poll(() => second.conversations.get(large.id) !== undefined, { interval: 2 }).toBe(true)
    // Nobody finds it meanwhile, and a process that dies would delete it.
    expect(second.deletions.has(large.id)).toBe(true)
    await second.dataImports.delete(import_id)
    expect(second.dataImports.get(import_id)).toMatchObject({
      state: 'stopped',
      result: { added: { conversations: 1 } },
    })
    expect(second.conversations.get(large.id)).toBeUndefined()
    expect(second.eventLog.lastSeq(large.id)).toBe(-1)
    expect(second.deletions.all()).toEqual([])
    expect(second.eventLog.lastSeq(small.id)).toBe(9)
    expect(readdirSync(join(second.folder, 'atelier-imports'))).toEqual([])
  })
})
