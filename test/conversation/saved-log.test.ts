import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { trajectoryArchive } from '../../server/conversation/files/trajectory-archive.ts'
import { zipStream } from '../../server/conversation/files/zip/zip.ts'
import { readArchive } from '../../server/conversation/saved-log/archive.ts'
import { parseSavedLog } from '../../server/conversation/saved-log/parse.ts'
import { readSavedLog } from '../../server/conversation/saved-log/read.ts'
import { EventLog } from '../renderer/conversation/events.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const read = (value: unknown) => parseSavedLog(json(value))
const text = (words: string) => [{ type: 'text', text: words }]
const asked = {
  kind: 'MessageEvent',
  source: 'user',
  id: 'm',
  llm_message: { role: 'user', content: [...text('Fix it'), { type: 'image', image_urls: ['data:,x'] }] },
}
const acted = {
  kind: 'ActionEvent',
  source: 'agent',
  thought: text('I look.'),
  tool_call_id: 'c',
  tool_call: { id: 'c', name: 'terminal', arguments: '{}', origin: 'completion' },
  llm_response_id: 'r',
  security_risk: 'LOW',
}
const seen = { kind: 'ObservationEvent', source: 'environment', observation: { kind: 'TerminalObservation' } }

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  async function* entries() {
    for (const [name, content] of Object.entries(files)) {
      const pieces = async function* () {
        yield Buffer.from(content)
      }
      yield { name, modifiedAt: new Date(0), content: pieces() }
    }
  }
  return buffer(zipStream(entries()))
}

describe('a saved log', () => {
  it('is cut down to what a replay takes from it', async () => {
    const log = await read([asked, acted, seen, { kind: 'PauseEvent' }])
    expect(log).toMatchObject({
      first_message: 'Fix it',
      agent_steps: 1,
      selected_repository: null,
      git_provider: null,
    })
    const { id: _, ...message } = asked
    const { security_risk: __, ...action } = acted
    expect(log.events).toEqual([{ ...message, llm_message: { role: 'user', content: text('Fix it') } }, action])
  })

  it.each([
    ['a list', [asked, acted]],
    ['an object with a trajectory', { trajectory: [asked, acted] }],
    ['an object with events', { events: [asked, acted] }],
  ])('is %s', async (_what, value) => {
    expect((await read(value)).events).toHaveLength(2)
  })

  it('says when it hands work to sub-agents, which ask a model', async () => {
    const tool_call = { ...acted.tool_call, name: 'task' }
    const choices = [
      { message: { content: '', tool_calls: [{ id: 'c', function: { name: 'task', arguments: '{}' } }] } },
    ]
    const older = {
      action: 'think',
      source: 'agent',
      args: {},
      tool_call_metadata: { model_response: { id: 'r', choices } },
    }
    expect(await read([asked, acted])).toMatchObject({ has_sub_agents: false })
    expect(await read([asked, { ...acted, tool_call }])).toMatchObject({ has_sub_agents: true })
    expect(await read([older])).toMatchObject({ has_sub_agents: true })
  })

  it('is without what the person went back from', async () => {
    const eventLog = new EventLog()
    const first = eventLog.user('Fix it')
    eventLog.agent('Wrong.')
    eventLog.user('No, otherwise.')
    eventLog.state('leaf_event_id', first.id)
    eventLog.agent('Right.')
    const { events } = await read(eventLog.events)
    expect(events.map(({ llm_message }) => JSON.stringify(llm_message)).join()).toMatch(/Fix it.*Right/)
    expect(events).toHaveLength(2)
  })

  it('may be of the older format', async () => {
    const log = await read([
      { action: 'system', source: 'agent', args: { content: 'You are' } },
      { action: 'message', source: 'user', args: { content: ' Say hello ' } },
      { action: 'run', source: 'agent', args: { command: 'echo hello' }, timestamp: 'x' },
      { observation: 'run', source: 'agent', content: 'hello' },
      { action: 'change_agent_state', source: 'environment', args: {} },
    ])
    expect(log).toMatchObject({ first_message: 'Say hello', agent_steps: 1 })
    expect(log.events[1]).toEqual({ action: 'run', source: 'agent', args: { command: 'echo hello' } })
  })

  it('is the archive that the service makes, in the order of its events', async () => {
    const meta = { selected_repository: 'acme/shop', selected_branch: 'main', git_provider: 'gitlab' }
    const events = [asked, acted, { ...acted, llm_response_id: 'r2' }].map((event, seq) => ({
      ...{ ...event, seq, id: `e${seq}` },
      timestamp: '2026-01-01T00:00:00Z',
    }))
    const archive = trajectoryArchive(meta, new Date(0), from => (from === 0 ? (events as never) : []))
    const log = await parseSavedLog(await buffer(archive))
    expect(log).toMatchObject({ first_message: 'Fix it', agent_steps: 2 })
    expect(log).toMatchObject(meta)
    expect(log.events.map(({ llm_response_id }) => llm_response_id)).toEqual([undefined, 'r', 'r2'])
  })

  it('may be one JSON file in an archive, and is the demonstration’s own', async () => {
    const recorded = readFileSync(
      new URL('../../build/resources/demonstration/trajectory.json', import.meta.url),
      'utf8',
    )
    const log = await parseSavedLog(await zipOf({ 'notes.txt': 'no', 'trajectory.json': recorded }))
    expect(log.agent_steps).toBeGreaterThan(5)
    expect(await parseSavedLog(Buffer.from(recorded))).toEqual(log)
  })

  it.each<[string, Buffer | Promise<Buffer>, RegExp]>([
    ['is empty', Buffer.from(''), /neither JSON nor a ZIP/],
    ['is a picture', Buffer.from([137, 80, 78, 71, 13, 10]), /neither JSON nor a ZIP/],
    ['is JSON of something else', json({ name: 'package' }), /no list of events/],
    ['has no event of an agent', json([seen, 7, null, ['x']]), /no messages and actions/],
    ['is an archive of something else', zipOf({ 'a.txt': 'x' }), /holds no events/],
    ['is half an archive', zipOf({ 'event_1.json': '{}' }).then(zip => zip.subarray(0, -30)), /damaged/],
    ['is JSON cut off', Buffer.from('[{"kind":'), /neither JSON nor a ZIP/],
    ['has too long messages', json([{ ...acted, thought: text('x'.repeat(8_000_001)) }]), /8\.0 MB is the most/],
  ])('that %s is refused in words', async (_what, content, words) => {
    await expect(parseSavedLog(await content)).rejects.toThrow(words)
  })

  it('is read in a thread, which is given up with the request', async () => {
    const signal = new AbortController().signal
    const log = await readSavedLog(new Uint8Array(json([asked, acted])), signal)
    expect(log).toEqual(await read([asked, acted]))
    await expect(readSavedLog(new Uint8Array(json(7)), signal)).rejects.toMatchObject({
      code: 'trajectory_invalid',
      message: expect.stringContaining('no list of events'),
    })
    const gone = AbortSignal.abort(new Error('Nobody waits for it.'))
    await expect(readSavedLog(new Uint8Array(json([asked])), gone)).rejects.toThrow('Nobody waits')
  })
})

describe('an archive', () => {
  it('that unpacks to more than is wanted is given up on the way', async () => {
    const bomb = await zipOf({ 'a.json': 'x'.repeat(5_000_000) })
    expect(bomb.length).toBeLessThan(50_000)
    await expect(readArchive(bomb, 1_000_000)).rejects.toThrow('more than a log may have')
  })

  it('with damaged bytes is refused, wherever they are', async () => {
    const zip = await zipOf({ 'a.json': '{"some":"content"}', 'b.json': '[]' })
    for (let at = 0; at < zip.length; at++) {
      const damaged = Buffer.from(zip)
      damaged[at] = (damaged[at] ?? 0) ^ 0xff
      const outcome = await readArchive(damaged, 1_000).then(
        found => found instanceof Map,
        error => error instanceof Error && !(error instanceof RangeError),
      )
      expect(outcome, `byte ${at}`).toBe(true)
    }
  })

  it('with a comment, and with files that are only stored, is read', async () => {
    const content = Buffer.from('[1]')
    const sizes = [content.length, content.length]
    const local = [
      ...u32(0x04034b50),
      ...u16(20, 0, 0, 0, 0),
      ...u32(0, ...sizes),
      ...u16(6, 0),
      ...Buffer.from('a.json'),
      ...content,
    ]
    const entry = [
      ...u32(0x02014b50),
      ...u16(20, 20, 0, 0, 0, 0),
      ...u32(0, ...sizes),
      ...u16(6, 0, 0, 0, 0),
      ...u32(0, 0),
      ...Buffer.from('a.json'),
    ]
    const end = [...u32(0x06054b50), ...u16(0, 0, 1, 1), ...u32(entry.length, local.length), ...u16(2), 104, 105]
    const found = await readArchive(Buffer.from([...local, ...entry, ...end]), 100)
    expect([...found]).toEqual([['a.json', '[1]']])
  })
})

const u16 = (...values: number[]) => values.flatMap(value => [value & 255, value >> 8])
const u32 = (...values: number[]) => values.flatMap(value => u16(value & 0xffff, value >>> 16))
