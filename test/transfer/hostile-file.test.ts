import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newConversationId } from '../../server/domain/ids.ts'
import { seal } from '../../server/transfer/sealed.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { AT, aFile as file } from './a-file.ts'
import { aComputer, type Computer, checked, imported } from './computer.ts'

let computer: Computer
beforeEach(() => {
  computer = aComputer()
})
afterEach(() => computer.remove())

const ID = newConversationId()
const FILE = `conversations/${ID}.jsonl`

function aModel(fields: object): string {
  return JSON.stringify([{ name: 'Fast', model: 'openai/x', base_url: null, options: {}, ...fields }])
}

/** A line for what it is, then a line for each event. */
function lines(conversation: object = {}, events: object[] = [anEvent(0)]): string {
  const heading = { conversation: { id: ID, created_at: AT, updated_at: AT, ...conversation } }
  return [heading, ...events].map(line => `${JSON.stringify(line)}\n`).join('')
}

function anEvent(seq: number, fields: object = {}): object {
  return { ...newEvent(seq), id: `e${seq}`, seq, timestamp: AT, ...fields }
}

/** Where each entry of the list at the end begins. */
function directoryEntries(zip: Buffer): number[] {
  const found: number[] = []
  for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 4, 'latin1')) {
    found.push(at)
  }
  return found
}

async function problemOf(bytes: Buffer): Promise<string | null> {
  const { state, problem } = await checked(computer, bytes)
  expect(state).toBe('failed')
  expect(readdirSync(join(computer.folder, 'atelier-imports'))).toEqual([])
  return problem
}

describe('a file is refused in words, and leaves nothing', () => {
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    ['that is no archive', async () => Buffer.from('no archive'), /not an Atelier export.*atelier-data\.zip/],
    ['without a list of contents', () => file({ [FILE]: lines() }, null), /not an Atelier export/],
    ['of another format', () => file({}, { format: 'other' }), /not an Atelier export/],
    ['of a newer version', () => file({}, { version: 3 }), /newer version of Atelier.*Update Atelier/],
    [
      'with a path that leads elsewhere',
      () => file({ '../../evil.json': '{}' }),
      /no file|nothing|something that no export has/,
    ],
    ['with a file that no export has', () => file({ 'evil.sh': 'rm' }), /something that no export has/],
    [
      'whose part was changed',
      () => file({ [FILE]: lines() }, { parts: [{ name: FILE, bytes: lines().length, sha256: sum('else') }] }),
      /not what was exported/,
    ],
    ['with a part that is not listed', () => file({ [FILE]: lines() }, { parts: [] }), /does not name/],
    [
      'with a listed part that is missing',
      () => file({}, { parts: [{ name: FILE, bytes: 1, sha256: sum('') }], counts: NONE }),
      /is missing/,
    ],
    ['with an empty conversation', () => file({ [FILE]: '' }), /is empty/],
    ['whose conversation breaks off', () => file({ [FILE]: lines().slice(0, -1) }), /breaks off/],
    ['with a gap in a log', () => file({ [FILE]: lines({}, [anEvent(0), anEvent(2)]) }), /lacks an event/],
    ['with an event without an id', () => file({ [FILE]: lines({}, [anEvent(0, { id: 7 })]) }), /without an id/],
    [
      'with a conversation of another id',
      () => file({ [FILE]: lines({ id: newConversationId() }) }),
      /another conversation/,
    ],
    [
      'with a conversation of wrong types',
      () => file({ [FILE]: lines({ pr_number: 'x' }) }),
      /wrong at conversation\.pr_number/,
    ],
    ['with lines that are no JSON', () => file({ [FILE]: '{\n' }), /no JSON/],
    [
      'with deep JSON',
      () => file({ [FILE]: `${lines({}, [])}${'['.repeat(5000)}${']'.repeat(5000)}\n` }),
      /nested deeper/,
    ],
    ['with settings of wrong types', () => file({ 'settings.json': '[]' }), /settings\.json is wrong/],
    [
      'with a saved model whose name nobody could remove',
      () => file({ 'models.json': aModel({ name: '../x' }) }),
      /models\.json is wrong at 0\.name/,
    ],
    [
      'with a saved model of two lines',
      () => file({ 'models.json': aModel({ model: 'openai/x\nX-Evil: 1' }) }),
      /wrong at 0\.model/,
    ],
    [
      'with an address that carries a password',
      () => file({ 'models.json': aModel({ base_url: 'https://me:word@model.example' }) }),
      /wrong at 0\.base_url/,
    ],
    [
      'that counts other conversations',
      () => file({ [FILE]: lines() }, { counts: NONE }),
      /counts other conversations/,
    ],
  ]
  it.each(cases)('%s', async (_, make, words) => {
    expect(await problemOf(await make())).toMatch(words)
    expect(computer.conversations.get(ID)).toBeUndefined()
  })

  it('that unpacks to far more than it weighs', async () => {
    const part = ' '.repeat(65 * 2 ** 20)
    expect(await problemOf(await file({ 'secrets.json': part }))).toMatch(/too large/)
    const line = `${lines({}, [])}${'x'.repeat(33 * 2 ** 20)}`
    expect(await problemOf(await file({ [FILE]: line }))).toMatch(/too long/)
  })

  it('whose parts share their bytes', async () => {
    const noise = randomBytes(100_000).toString('hex')
    const whole = await file({ [FILE]: `${noise}\n`, [`conversations/${newConversationId()}.jsonl`]: '\n' })
    const [one = 0, other = 0] = directoryEntries(whole)
    // Its sizes and where it begins; see 4.3.12 of the format's description.
    for (const [from, bytes] of [
      [16, 12],
      [42, 4],
    ] as const) {
      whole.copy(whole, other + from, one + from, one + from + bytes)
    }
    expect(await problemOf(whole)).toMatch(/larger than itself/)
  })

  it('that was cut off', async () => {
    const whole = await file({ [FILE]: lines() })
    expect(await problemOf(whole.subarray(0, whole.length - 30))).toMatch(/not an Atelier export/)
  })
})

const NONE = { conversations: 0, events: 0, models: 0, specs: 0, secrets: 0 }

describe('a conversation of a stranger', () => {
  it('gets no sandbox, no folder and no rights of this machine', async () => {
    const claims = {
      sandbox_id: 'atelier-somebody',
      mounted_folder: '/home/me',
      source_folder: '/home/me',
      folder_mode: 'in_place',
      always_allowed: ['TerminalAction'],
      replay: '[]',
      execution_status: 'running',
      title: 'T'.repeat(5000),
      working_dir: 'no/absolute/path',
    }
    expect((await imported(computer, await file({ [FILE]: lines(claims) }))).state).toBe('imported')
    expect(computer.conversations.get(ID)).toMatchObject({
      sandbox_id: '',
      mounted_folder: null,
      source_folder: null,
      folder_mode: null,
      always_allowed: [],
      replay: null,
      execution_status: 'paused',
      title: 'T'.repeat(200),
      working_dir: '/workspace/project',
    })
  })

  it('has a notice in the place of what does not fit, and hides what is a secret here', async () => {
    await computer.secrets.secrets.create({ name: 'MINE', value: 'mine-alone-123' })
    const events = [anEvent(0, { action: 7, tool_call: 'x' }), anEvent(1, { tool_name: 'mine-alone-123' })]
    const { contents } = await checked(computer, await file({ [FILE]: lines({}, events) }))
    expect(contents?.unreadable_events).toBe(1)
    await imported(computer, await file({ [FILE]: lines({ title: 'It is mine-alone-123' }, events) }))
    const kept = computer.eventLog.read(ID, 0, 10)
    expect(kept.map(({ kind }) => kind)).toEqual(['ConversationErrorEvent', 'ObservationEvent'])
    expect(JSON.stringify([kept, computer.conversations.get(ID)])).not.toContain('mine-alone')
  })

  it('comes with fields of its own left out', async () => {
    const other = newConversationId()
    const bare = `${JSON.stringify({ conversation: { id: other, created_at: AT, updated_at: AT } })}\n`
    expect((await imported(computer, await file({ [`conversations/${other}.jsonl`]: bare }))).state).toBe('imported')
    expect(computer.conversations.get(other)).toMatchObject({ title_is_default: true, execution_status: 'paused' })
  })

  it('stays readable where words of its form are secrets here', async () => {
    for (const [index, value] of ['default', 'ActionEvent', '123456', 'UNKNOWN'].entries()) {
      await computer.secrets.secrets.create({ name: `WORD_${index}`, value })
    }
    const said = { action: null, thought: [{ type: 'text', text: 'It is 123456, by default' }] }
    const events = [anEvent(0, { ...said, id: 'e123456' })]
    const { state, result } = await imported(
      computer,
      await file({ [FILE]: lines({ max_iterations: 123_456, title: 'About 123456' }, events) }),
    )
    expect(state).toBe('imported')
    expect(result?.added).toMatchObject({ conversations: 1, events: 1 })
    const [kept] = computer.eventLog.read(ID, 0, 10)
    expect(kept).toMatchObject({ kind: 'ActionEvent', id: 'e123456' })
    expect(JSON.stringify(kept)).not.toContain('It is 123456')
    const conversation = computer.conversations.get(ID)
    expect(conversation).toMatchObject({ agent_type: 'default', max_iterations: 123_456 })
    expect(conversation?.title).not.toContain('123456')
  })
})

describe('what a passphrase opens', () => {
  const sealed = async (text: string) => {
    const { import_id } = await checked(computer, await file({ 'secret-values.json': await seal(text, PASSPHRASE) }))
    return computer.dataImports.start(import_id, { settings: true, passphrase: PASSPHRASE })
  }

  it.each([
    ['is deep', `${'['.repeat(5000)}${']'.repeat(5000)}`, /nested deeper/],
    ['is no JSON', '{', /no JSON/],
    ['has a key of two lines', values({ keys: { llm_api_key: 'sk-1\nX-Evil: 1' } }), /secrets cannot be read/],
    ['has a token of two lines', values({ provider_tokens: { github: { token: 'a\nb' } } }), /secrets cannot be read/],
    ['has a key of no saved model', values({ models: [{ name: '../x', key: 'sk-1' }] }), /secrets cannot be read/],
  ])('and %s is refused', async (_, text, words) => {
    await expect(sealed(text)).rejects.toThrow(words)
    expect(computer.backups.list()).toEqual([])
  })
})

const PASSPHRASE = 'correct horse battery'

function values(fields: object): string {
  return JSON.stringify({ keys: {}, mcp_config: null, secrets: [], models: [], provider_tokens: {}, ...fields })
}
