import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { McpServerState } from '../../server/api/v1/settings/mcp-states.ts'
import { HOSTILE_TOOL_SERVER } from '../fakes/hostile-tool-server.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'
import { longestTurn } from '../parts/own-turns.ts'
import { slowness } from '../parts/value/slowness.ts'
import { hasFailed, isReady, type OpenSession, onNetwork, openSession, SCRIPT, stdio } from './parts.ts'

let sandbox: TestSandbox
let open: OpenSession | undefined

beforeAll(async () => {
  sandbox = await startTestSandbox()
  await sandbox.handle.writeFile(SCRIPT, Buffer.from(HOSTILE_TOOL_SERVER))
})
afterEach(() => open?.session.close())
afterAll(() => sandbox?.close())

/** In processor time: one message of up to 10 MB is read in one turn; on the network the sender has turns too. */
const MAX_TURN_MS = 200

async function settled(MODE: string): Promise<McpServerState> {
  open = openSession([stdio('bad', { MODE }, { timeout: 60 })], { sandbox: async () => sandbox.handle })
  const { session, until } = open
  await session.wake()
  return until('bad', state => isReady(state) || hasFailed(state))
}

describe('a tool server that means harm', { timeout: 120_000 }, () => {
  it.each([
    ['prints', 'ready', ''],
    ['prints empty lines', 'ready', ''],
    ['complains', 'ready', 'zzz'],
    ['complains without end of line', 'ready', 'zzz'],
    ['complains in empty lines', 'ready', ''],
    ['prints json', 'failed', 'messages without end'],
    ['answers what was never asked', 'failed', 'messages without end'],
    ['long greeting', 'failed', 'more than 10 MB'],
    ['long description', 'ready', ''],
    ['long name', 'ready', '1 of its tools'],
    ['many tools', 'ready', ''],
    ['circle', 'ready', ''],
    ['deep', 'failed', 'nested too deeply'],
    ['pages without end', 'failed', 'list of tools does not end'],
  ])('%s: it is %s, and nobody else waits', async (mode, wanted, said) => {
    let state: McpServerState | undefined
    const longest = await longestTurn(async () => {
      state = await settled(mode)
    })
    expect(state?.state).toBe(wanted)
    expect(state?.log.join('\n')).toContain(said)
    expect(JSON.stringify(state).length).toBeLessThan(200_000)
    expect(longest).toBeLessThan(MAX_TURN_MS * slowness())
  })

  it('says without end that its tools have changed: it is left, and its tools stay until it is', async () => {
    await settled('changes without end')
    const state = await open?.until('bad', hasFailed)
    expect(state?.log.join('\n')).toContain('messages without end')
  })

  it('names its tools as it likes: each has a name of its own, which is not ours', async () => {
    const state = await settled('strange names')
    const names = open?.session.tools().map(({ name }) => name.toLowerCase()) ?? []
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('tool')
    expect(names).not.toContain('finish')
    expect(state.log.join('\n')).toContain('2 of its tools are left out')
  })

  it.each(['flood', 'requests'])('is called and answers with a %s: the model is told that it is gone', async name => {
    await settled('calls')
    let text = ''
    const longest = await longestTurn(async () => {
      text = (await open?.call(name))?.text ?? ''
    })
    expect(text).toContain('The tool server failed.')
    expect(longest).toBeLessThan(MAX_TURN_MS * slowness())
  })

  it('answers with an error of 9 MB: the model gets its beginning', async () => {
    await settled('calls')
    const { text, isError } = (await open?.call('big')) ?? { text: '', isError: false }
    expect({ isError, isShort: text.length < 1000 }).toEqual({ isError: true, isShort: true })
  })
})

describe('a tool server on the network that sends messages without end', () => {
  let server: Server
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it('is left, and nobody else waits', { timeout: 60_000 }, async () => {
    const flood = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"z"}}\n\n`
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      if (method === 'initialize') {
        const result = {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      } else if (method === 'tools/list') {
        response.setHeader('Content-Type', 'text/event-stream')
        Readable.from(Array.from({ length: 5000 }, () => flood.repeat(20))).pipe(response)
      } else if (id !== undefined) {
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
      } else response.writeHead(request.method === 'GET' ? 405 : 202).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    open = openSession([onNetwork('bad', url)])
    let state: McpServerState | undefined
    const longest = await longestTurn(async () => {
      await open?.session.wake()
      state = await open?.until('bad', hasFailed)
    })
    expect(state?.log.join('\n')).toContain('messages without end')
    expect(longest).toBeLessThan(MAX_TURN_MS * slowness())
  })
})
