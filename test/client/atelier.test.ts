import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { afterAll, describe, expect } from 'vitest'
import type { EventFrame } from '../../server/api/event/frames.ts'
import { getSystem } from '../../server/api/v1/system/system.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { connect, openWebSocket } from '../../server/client/node/connect.ts'
import type { Sandbox } from '../../server/client/sandbox.ts'
import { it as base } from '../fixtures/service.ts'
import { startCuttingProxy } from '../parts/cutting-proxy.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}) => mkdtempSync(join(tmpdir(), 'atelier-client-')))
  .extend('atelier', { scope: 'file' }, ({ service }) => connect({ dataDir: service.dataDir, key: service.key }))

test.afterAll(({ folder }) => {
  rmSync(folder, { recursive: true, force: true })
})

const terminal = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

describe('a task', () => {
  test('is started, waited for and read', async ({ model, atelier }) => {
    model.setScript([terminal('echo plums > jar.txt'), { text: 'It is in the jar.' }])
    const steps: string[] = []
    const { status, response, conversation } = await atelier.run(
      { message: 'Fill the jar.', title: 'Jam' },
      { onStep: step => steps.push(step.status) },
    )
    expect({ status, response }).toEqual({ status: 'finished', response: 'It is in the jar.' })
    expect(steps).toContain('WAITING_FOR_SANDBOX')
    expect((await conversation.info()).title).toBe('Jam')
    expect(await conversation.changes()).toEqual([{ status: 'ADDED', path: 'jar.txt' }])
    expect(await textOf(await conversation.patch())).toContain('+plums')
    const found = []
    for await (const { id } of atelier.conversations()) found.push(id)
    expect(found).toContain(conversation.id)

    model.setScript([{ text: 'Nothing is left.' }])
    await conversation.send('Empty it.')
    expect(await conversation.wait()).toMatchObject({ status: 'finished', response: 'Nothing is left.', error: null })
    await conversation.delete()
    await expect(conversation.info()).rejects.toMatchObject({ code: 'conversation_not_found' })
  })

  test('ends with the reason when the model refuses the key', async ({ model, atelier }) => {
    model.setScript([{ fault: 'authentication' }])
    const result = await atelier.run({ message: 'Go.' })
    expect(result).toMatchObject({ status: 'error', error: { code: 'llm_authentication' } })
  })

  test('asks the caller about actions that wait, and the answer counts', async ({ model, atelier }) => {
    model.setScript([terminal('touch first'), terminal('touch second'), { text: 'One of two.' }])
    const asked: string[] = []
    const { conversation, status } = await atelier.run(
      { message: 'Go.', confirmation_policy: { kind: 'AlwaysConfirm' } },
      {
        onConfirmation: actions => {
          asked.push(...actions.map(({ tool_call }) => tool_call.arguments))
          return asked.length === 1 ? { accept: true } : { accept: false, reason: 'No more.' }
        },
      },
    )
    expect(status).toBe('idle')
    expect(asked.map(text => JSON.parse(text).command)).toEqual(['touch first', 'touch second'])
    expect((await conversation.changes()).map(({ path }) => path)).toEqual(['first'])
  })

  test('is left at work by an abort of the wait, stopped by stop, and not begun after an abort of the start', async ({
    model,
    atelier,
  }) => {
    model.setScript([terminal('sleep 60')])
    const conversation = await atelier.startConversation({ message: 'Sleep.' })
    const abort = new AbortController()
    const waiting = conversation.wait({
      afterSeq: -1,
      signal: abort.signal,
      onFrame: frame => frame.kind === 'ActionEvent' && abort.abort(new Error('enough')),
    })
    await expect(waiting).rejects.toThrow('enough')
    expect((await conversation.info()).execution_status).toBe('running')
    await conversation.stop()
    expect(await conversation.wait()).toMatchObject({ status: 'paused' })

    const before = (await atelier.call(getSystem)).running_sandboxes
    const soon = new AbortController()
    const start = atelier.startConversation({ message: 'Go.' }, { signal: soon.signal, onStep: () => soon.abort() })
    await expect(start).rejects.toMatchObject({ name: 'AbortError' })
    expect((await atelier.call(getSystem)).running_sandboxes).toBeLessThanOrEqual(before)
  })
})

test('events come once each and in order over a connection that is cut again and again', async ({
  model,
  service,
  atelier,
}) => {
  const count = 12
  model.setScript([...Array.from({ length: count }, (_, index) => terminal(`echo line ${index}`)), { text: 'Done.' }])
  const proxy = await startCuttingProxy(service.url)
  try {
    const cut = new Atelier({ url: proxy.url, key: service.key, connect: openWebSocket })
    const { id } = await atelier.startConversation({ message: 'Count.' })
    const seen: number[] = []
    let losses = 0
    const frames: EventFrame[] = []
    for await (const frame of cut.conversation(id).events({ onState: ({ kind }) => kind === 'waiting' && losses++ })) {
      frames.push(frame)
      if (!('seq' in frame)) continue
      seen.push(frame.seq)
      if (seen.length % 7 === 0) proxy.cut()
      if (frame.kind === 'ConversationStateUpdateEvent' && frame.value === 'finished') break
    }
    expect(losses).toBeGreaterThan(0)
    expect(seen).toEqual(seen.map((_, index) => index))
    expect(frames.filter(({ kind }) => kind === 'ObservationEvent')).toHaveLength(count)

    const later: number[] = []
    for await (const frame of cut.conversation(id).events({ afterSeq: 5 })) {
      if ('seq' in frame) later.push(frame.seq)
      if ('seq' in frame && frame.seq === seen.at(-1)) break
    }
    expect(later).toEqual(seen.slice(6))
  } finally {
    await proxy.close()
  }
})

describe('a sandbox', () => {
  let sandbox: Sandbox
  test.beforeAll(async ({ atelier }) => {
    sandbox = await atelier.startSandbox()
  })
  afterAll(() => sandbox?.delete())

  test('runs commands with both outputs, the exit status, and much output whole', async () => {
    expect(await sandbox.run('echo out; echo err >&2; exit 3')).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      isCut: false,
    })
    const { stdout, exitCode } = await sandbox.run('seq 1 500000', { cwd: '/tmp' })
    expect({ exitCode, lines: stdout.split('\n').length, end: stdout.slice(-7) }).toEqual({
      exitCode: 0,
      lines: 500_001,
      end: '500000\n',
    })
    expect((await sandbox.run('sleep 30', { timeout: 1 })).exitCode).toBe(-1)
    await expect(sandbox.run('sleep 5', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  test('takes and gives files as they are, streamed in both directions', async ({ folder }) => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536))
    const large = join(folder, 'large')
    writeFileSync(large, Buffer.concat(Array.from({ length: 160 }, () => bytes)))
    await sandbox.writeFile('/workspace/project/a b/large', await openAsBlob(large))
    const { stdout } = await sandbox.run("wc -c < 'a b/large'")
    expect(Number(stdout)).toBe(160 * 65_536)
    let size = 0
    for await (const chunk of await sandbox.download('/workspace/project/a b/large')) size += chunk.length
    expect(size).toBe(160 * 65_536)
    await sandbox.writeFile('/workspace/project/note', 'grüße')
    expect(await sandbox.readText('/workspace/project/note')).toBe('grüße')
    expect(await sandbox.readFile('/workspace/project/note')).toEqual(new TextEncoder().encode('grüße'))
    await expect(sandbox.readFile('/none')).rejects.toMatchObject({
      code: 'file_not_found',
      nextStep: 'Check the path.',
    })
    const names: string[] = []
    const entries = extract()
    Readable.fromWeb((await sandbox.archive('/workspace/project')) as never)
      .pipe(createGunzip())
      .pipe(entries)
    for await (const entry of entries) {
      names.push(entry.header.name)
      entry.resume()
    }
    expect(names).toEqual(expect.arrayContaining(['note', 'a b/large']))
  })

  test('says so while it does not run', async ({ atelier }) => {
    const paused = await atelier.startSandbox()
    await paused.pause()
    await expect(paused.run('true')).rejects.toMatchObject({ code: 'sandbox_not_running' })
    await paused.resume()
    expect((await paused.run('true')).exitCode).toBe(0)
    await paused.delete()
    await expect(paused.info()).rejects.toMatchObject({ code: 'sandbox_not_found' })
  })
})

describe('what goes wrong', () => {
  test('has a code and a next step', async ({ folder, service, atelier }) => {
    await expect(connect({ dataDir: folder, key: 'a' })).rejects.toMatchObject({ code: 'unreachable' })
    const stranger = await connect({ dataDir: service.dataDir, key: 'wrong' })
    await expect(stranger.call(getSystem)).rejects.toMatchObject({
      code: 'unauthorized',
      nextStep: expect.stringContaining('atelier login'),
    })
    await expect(stranger.conversation('0'.repeat(32)).events().next()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(atelier.conversation('0'.repeat(32)).events().next()).rejects.toMatchObject({
      code: 'conversation_not_found',
    })
  })

  test('is no key for the process that has the port of a service that crashed', async ({ folder, service }) => {
    writeFileSync(
      join(folder, 'server.json'),
      JSON.stringify({ url: service.url, gateway_url: service.url, pid: 2 ** 30, version: '1' }),
    )
    await expect(connect({ dataDir: folder, key: service.key })).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('is told in time by a service that does not answer', async () => {
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const late = new Atelier({ url, key: 'a', timeoutMs: 100, connect: openWebSocket })
    await expect(late.call(getSystem)).rejects.toMatchObject({ code: 'timeout', status: 0 })
    silent.close()
    const gone = new Atelier({ url: 'http://127.0.0.1:1', key: 'a', connect: openWebSocket })
    const events = gone.conversation('0'.repeat(32)).events({ reconnectTimeoutMs: 300 })
    await expect(events.next()).rejects.toMatchObject({ code: 'unreachable' })
  })
})

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
