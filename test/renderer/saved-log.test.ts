import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { readSavedLog } from '../../renderer/state/launch/saved-log.ts'
import { readZip } from '../../renderer/state/launch/zip.ts'
import { trajectoryArchive } from '../../server/conversation/files/trajectory-archive.ts'
import { zipStream } from '../../server/conversation/files/zip/zip.ts'
import { EventLog } from './conversation/events.ts'

const file = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content])
const json = (value: unknown) => file(JSON.stringify(value))
const read = (value: unknown) => readSavedLog(json(value))
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

async function zipOf(files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  async function* entries() {
    for (const [name, content] of Object.entries(files)) {
      const pieces = async function* () {
        yield Buffer.from(content)
      }
      yield { name, modifiedAt: new Date(0), content: pieces() }
    }
  }
  return new Uint8Array(await buffer(zipStream(entries())))
}

describe('a saved log', () => {
  it('is cut down to what a replay takes from it', async () => {
    const log = await read([asked, acted, seen, { kind: 'PauseEvent' }])
    expect(log).toMatchObject({ begins: 'Fix it', steps: 1, repository: '', provider: null })
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
    expect(await read([asked, acted])).toMatchObject({ hasSubAgents: false })
    expect(await read([asked, { ...acted, tool_call }])).toMatchObject({ hasSubAgents: true })
    expect(await read([older])).toMatchObject({ hasSubAgents: true })
  })

  it('is without what the person went back from', async () => {
    const log = new EventLog()
    const first = log.user('Fix it')
    log.agent('Wrong.')
    log.user('No, otherwise.')
    log.state('leaf_event_id', first.id)
    log.agent('Right.')
    const { events } = await read(log.events)
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
    expect(log).toMatchObject({ begins: 'Say hello', steps: 1 })
    expect(log.events[1]).toEqual({ action: 'run', source: 'agent', args: { command: 'echo hello' } })
  })

  it('is the archive that the service makes, in the order of its events', async () => {
    const meta = { selected_repository: 'acme/shop', selected_branch: 'main', git_provider: 'gitlab' }
    const events = [asked, acted, { ...acted, llm_response_id: 'r2' }].map((event, seq) => ({
      ...{ ...event, seq, id: `e${seq}` },
      timestamp: '2026-01-01T00:00:00Z',
    }))
    const archive = trajectoryArchive(meta, new Date(0), from => (from === 0 ? (events as never) : []))
    const log = await readSavedLog(file(new Uint8Array(await buffer(archive))))
    expect(log).toMatchObject({ begins: 'Fix it', steps: 2 })
    expect(log).toMatchObject({ repository: 'acme/shop', branch: 'main', provider: 'gitlab' })
    expect(log.events.map(({ llm_response_id }) => llm_response_id)).toEqual([undefined, 'r', 'r2'])
  })

  it('may be one JSON file in an archive, and is the demonstration’s own', async () => {
    const recorded = readFileSync(
      new URL('../../build/resources/demonstration/trajectory.json', import.meta.url),
      'utf8',
    )
    const log = await readSavedLog(file(await zipOf({ 'notes.txt': 'no', 'trajectory.json': recorded })))
    expect(log.steps).toBeGreaterThan(5)
    expect(await readSavedLog(file(recorded))).toEqual(log)
  })

  it.each<[string, Blob | Promise<Blob>, RegExp]>([
    ['is empty', file(''), /neither JSON nor a ZIP/],
    ['is a picture', file(new Uint8Array([137, 80, 78, 71, 13, 10])), /neither JSON nor a ZIP/],
    ['is JSON of something else', json({ name: 'package' }), /no list of events/],
    ['has no event of an agent', json([seen, 7, null, ['x']]), /no messages and actions/],
    ['is an archive of something else', zipOf({ 'a.txt': 'x' }).then(file), /holds no events/],
    ['is half an archive', zipOf({ 'event_1.json': '{}' }).then(zip => file(zip.slice(0, -30))), /damaged/],
    ['is JSON cut off', file('[{"kind":'), /neither JSON nor a ZIP/],
    ['has too long messages', json([{ ...acted, thought: text('x'.repeat(8_000_001)) }]), /8\.0 MB is the most/],
  ])('that %s is refused in words', async (_what, content, words) => {
    await expect(readSavedLog(await content)).rejects.toThrow(words)
  })

  it('too large to be one is not read at all', async () => {
    const arrayBuffer = () => Promise.reject(new Error('It was read.'))
    await expect(readSavedLog({ size: 100_000_001, arrayBuffer })).rejects.toThrow('100 MB is the most')
  })
})

describe('an archive', () => {
  it('that unpacks to more than is wanted is given up on the way', async () => {
    const bomb = await zipOf({ 'a.json': 'x'.repeat(5_000_000) })
    expect(bomb.length).toBeLessThan(50_000)
    await expect(readZip(bomb, () => true, 1_000_000)).rejects.toThrow('more than a log may have')
    expect((await readZip(bomb, () => false, 0)).size).toBe(0)
  })

  it('with damaged bytes is refused, wherever they are', async () => {
    const zip = await zipOf({ 'a.json': '{"some":"content"}', 'b.json': '[]' })
    for (let at = 0; at < zip.length; at++) {
      const damaged = zip.slice()
      damaged[at] = (damaged[at] ?? 0) ^ 0xff
      const outcome = await readZip(damaged, () => true, 1_000).then(
        found => found instanceof Map,
        error => error instanceof Error && !(error instanceof RangeError),
      )
      expect(outcome, `byte ${at}`).toBe(true)
    }
  })

  it('with a comment, and with files that are only stored, is read', async () => {
    const content = Buffer.from('[1]')
    const sizes = [content.length, content.length]
    const local = [...u32(0x04034b50), ...u16(20, 0, 0, 0, 0), ...u32(0, ...sizes), ...u16(1, 0), 97, ...content]
    const entry = [
      ...u32(0x02014b50),
      ...u16(20, 20, 0, 0, 0, 0),
      ...u32(0, ...sizes),
      ...u16(1, 0, 0, 0, 0),
      ...u32(0, 0),
      97,
    ]
    const end = [...u32(0x06054b50), ...u16(0, 0, 1, 1), ...u32(entry.length, local.length), ...u16(2), 104, 105]
    const found = await readZip(Uint8Array.from([...local, ...entry, ...end]), () => true, 100)
    expect([...found]).toEqual([['a', '[1]']])
  })
})

const u16 = (...values: number[]) => values.flatMap(value => [value & 255, value >> 8])
const u32 = (...values: number[]) => values.flatMap(value => u16(value & 0xffff, value >>> 16))
