import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MCP_STDIO_SERVER } from '../fakes/mcp-stdio-server.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'
import { hasFailed, isReady, type OpenSession, openSession, SCRIPT, stdio } from './parts.ts'

let sandbox: TestSandbox
let open: OpenSession | undefined

beforeAll(async () => {
  sandbox = await startTestSandbox()
  await sandbox.handle.writeFile(SCRIPT, Buffer.from(MCP_STDIO_SERVER))
})
afterEach(() => open?.session.close())
afterAll(() => sandbox?.close())

const TOKEN = 'tok-4f9a8b7c6d5e4f3a2b1c'

async function start(...[servers, options]: Parameters<typeof openSession>): Promise<OpenSession> {
  open = openSession(servers, { sandbox: async () => sandbox.handle, ...options })
  await open.session.wake()
  return open
}

async function ready(...given: Parameters<typeof openSession>): Promise<OpenSession> {
  const session = await start(...given)
  for (const { name } of given[0]) await session.until(name, isReady)
  return session
}

describe('a tool server that is a command in the sandbox', () => {
  it('lists its tools, with the schema as it gave it and the fields of every call', async () => {
    const { session } = await ready([stdio('one')])
    const echo = session.tools().find(({ name }) => name === 'echo')
    expect(echo?.inputSchema).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 }, summary: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    })
    expect(echo?.inputSchema?.properties).not.toHaveProperty('security_risk')
    expect(echo?.readOnly).toBe(true)
    const grow = session.tools().find(({ name }) => name === 'grow')
    expect(grow?.inputSchema?.properties).toHaveProperty('security_risk')
  })

  it('answers calls, with arguments brought to their types and the fields of every call left out', async () => {
    const { call } = await ready([stdio('one')])
    expect(await call('echo', { text: 'hello', times: '2', summary: 'Says hello' })).toMatchObject({
      text: 'hello hello',
      isError: false,
    })
  })

  it('tells the model what is wrong with its arguments, and calls nothing', async () => {
    const { call } = await ready([stdio('one')])
    expect((await call('echo', {})).text).toContain('"text"')
    expect((await call('echo', { text: 'x', times: 0 })).text).toContain('Error validating')
  })

  it('leaves parameters of its own alone that are called like the fields of every call', async () => {
    const { call } = await ready([stdio('one')])
    expect((await call('summary', { summary: 'mine', security_risk: 'none' })).text).toBe(
      '{"security_risk": "none", "summary": "mine"}',
    )
  })

  it.each([
    ['structured', { n: 'not a number' }],
    ['resources', 'inside'],
    ['picture', 'data:image/png;base64,iVBORw0KGgo='],
  ])('shows what models can read of %s', async (tool, wanted) => {
    const { call } = await ready([stdio('one')])
    const { text } = await call(tool)
    if (typeof wanted === 'string') expect(text).toContain(wanted)
    else expect(JSON.parse(text)).toEqual(wanted)
  })

  it('says that it failed, in its own words', async () => {
    const { call } = await ready([stdio('one')])
    expect(await call('fails')).toMatchObject({ text: 'It went wrong', isError: true })
    expect(await call('refuses')).toMatchObject({ text: expect.stringContaining('Out of paper'), isError: true })
  })

  it('is cut in the middle when it says too much', async () => {
    const { call } = await ready([stdio('one')])
    const { text } = await call('huge', { bytes: 1_000_000 })
    expect(text.length).toBeLessThanOrEqual(30_000)
    expect(text).toMatch(/^begin [\s\S]*left out[\s\S]* end$/)
  })

  it('is stopped when it sends a message that nobody could use', async () => {
    const { call, until } = await ready([stdio('one')])
    const { text, isError } = await call('huge', { bytes: 11_000_000 })
    expect({ text, isError }).toMatchObject({ text: expect.stringContaining('closed the connection'), isError: true })
    expect((await until('one', isReady)).log.join()).toContain('more than 10 MB')
  })

  it('ends a call with the signal, and goes on', async () => {
    const { call } = await ready([stdio('one')])
    const stop = new AbortController()
    const waiting = call('waits', {}, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    expect((await call('echo', { text: 'still here' })).text).toBe('still here')
  })
})

describe('secrets', () => {
  it('reach the server and show neither in its log, its answers, its state nor in the sandbox engine', async () => {
    const server = stdio('one', { API_TOKEN: TOKEN }, { args: [SCRIPT, '--api-key', `${TOKEN}-2`] } as never)
    const { call, session } = await ready([server])
    expect((await call('environment', { name: 'API_TOKEN' })).text).toBe('<secret-hidden>')
    expect((await call('arguments')).text).toBe('["--api-key", "<secret-hidden>"]')
    const [state] = session.states()
    expect(JSON.stringify(state)).not.toContain(TOKEN)
    expect(state?.log.join()).toContain('token in the log: <secret-hidden>')
    const { stdout } = await sandbox.handle.exec({ argv: ['sh', '-c', 'cat /proc/[0-9]*/cmdline | tr "\\0" " "'] })
    expect(stdout).not.toContain(`sh -c ${TOKEN}`)
  })

  it('are put in the place of their names, in the configuration and in calls', async () => {
    const secrets = { MY_KEY: 'a-value-of-mine', OTHER: 'another-value' }
    const { call } = await ready([stdio('one', { COPY: '${MY_KEY}', LENGTH: 'plain' })], { secrets })
    expect((await call('environment', { name: 'COPY' })).text).toBe('<secret-hidden>')
    expect((await call('echo', { text: 'it is $OTHER and $UNKNOWN' })).text).toBe('it is <secret-hidden> and $UNKNOWN')
  })

  it('never show in what the engine tells of the process', async () => {
    const seen: string[][] = []
    const handle = sandbox.handle
    const watched = Object.assign(Object.create(handle), {
      exec: (request: { argv: string[] }) => {
        seen.push(request.argv)
        return handle.exec(request)
      },
      openPiped: (request: { argv: string[] }) => {
        seen.push(request.argv)
        return handle.openPiped(request)
      },
    })
    const server = stdio('one', { API_TOKEN: TOKEN })
    await ready([server], { sandbox: async () => watched })
    expect(seen).toHaveLength(2)
    expect(seen.flat().join(' ')).not.toContain(TOKEN)
    expect(seen.flat().join(' ')).not.toContain(SCRIPT)
  })
})

describe('servers that misbehave', () => {
  it('do not keep the others from starting, and each says what is wrong', async () => {
    const session = await start([
      stdio('slow', { MODE: 'slow' }),
      stdio('crashes', { MODE: 'crashes' }),
      stdio('bad', { MODE: 'bad list' }),
      stdio('missing', {}, { command: 'no-such-program' } as never),
      stdio('nowhere', {}, { cwd: '/no/such/folder' } as never),
      stdio('good'),
    ])
    await session.until('good', isReady)
    expect(session.session.states()[0]).toMatchObject({ name: 'slow', state: 'starting' })
    expect((await session.call('echo', { text: 'first' })).text).toBe('first')
    const crashed = await session.until('crashes', hasFailed)
    expect(crashed).toMatchObject({ error_kind: 'crashed', error: expect.stringContaining('exit code 7') })
    expect(crashed.log.join()).toContain('No licence found')
    expect(await session.until('missing', hasFailed)).toMatchObject({
      error_kind: 'configuration',
      error: expect.stringContaining("no program 'no-such-program'"),
    })
    expect(await session.until('nowhere', hasFailed)).toMatchObject({ error_kind: 'configuration' })
    expect(await session.until('bad', hasFailed)).toMatchObject({ error_kind: 'protocol' })
  })

  it('are given up after their time-out', async () => {
    const session = await start([stdio('slow', { MODE: 'slow' }, { timeout: 1 })])
    expect(await session.until('slow', hasFailed)).toMatchObject({ error_kind: 'timeout' })
  })

  it('may print what is no message', async () => {
    const { call } = await ready([stdio('noisy', { MODE: 'noisy' })])
    expect((await call('echo', { text: 'fine' })).text).toBe('fine')
  })

  it('are connected again once, and a call that may have been carried out is not repeated', async () => {
    const { call, until } = await ready([stdio('one')])
    expect(await call('dies')).toMatchObject({ text: expect.stringContaining('check its effects'), isError: true })
    expect((await until('one', isReady)).log.join()).toContain('I am going')
    expect((await call('echo', { text: 'back' })).text).toBe('back')
  })

  it('that die again and again are given up', async () => {
    const { call, until } = await ready([stdio('one', { DIES_READS: '1' })])
    await call('dies')
    expect(await until('one', hasFailed)).toMatchObject({ error_kind: 'crashed' })
    const { text } = await call('echo', { text: 'x' })
    expect(text).toContain("Tool 'echo' not found")
  })

  it('that end after the handshake are tried twice at most', async () => {
    const session = await start([stdio('hello', { MODE: 'hello' })])
    expect(await session.until('hello', hasFailed)).toMatchObject({ error_kind: 'crashed' })
  })
})

describe('names of tools', () => {
  it('never are ours, fit every provider, and tell servers apart', async () => {
    const { session } = await ready([stdio('one'), stdio('two')])
    const names = session.tools().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('one_bash')
    expect(names).not.toContain('bash')
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    expect(names.filter(name => name.endsWith('echo'))).toHaveLength(2)
  })

  it('mean the same tool as long as the session lasts', async () => {
    const opened = await ready([stdio('one')])
    expect(opened.session.tools().map(({ name }) => name)).toContain('echo')
    opened.servers = [stdio('zero'), stdio('one')]
    await opened.session.wake()
    await opened.until('zero', isReady)
    const names = opened.session.tools().map(({ name }) => name)
    expect(names.indexOf('zero_echo')).toBeLessThan(names.indexOf('echo'))
  })
})

describe('a list of tools', () => {
  it('follows what the server says of its changes', async () => {
    const { call, until } = await ready([stdio('one')])
    await call('grow', { name: 'brand_new' })
    const state = await until('one', one => one.state === 'ready' && one.tools.some(({ name }) => name === 'brand_new'))
    expect(state.log.join()).toContain('Its tools have changed')
    expect((await call('brand_new')).text).toBe('called brand_new')
  })

  it('of a thousand is cut, and no server is left without any', async () => {
    const { session, until } = await ready([stdio('many', { TOOLS: '1000' }), stdio('few')])
    expect(session.tools()).toHaveLength(100)
    const few = await until('few', isReady)
    expect(few).toMatchObject({ tools_left_out: 0 })
    const many = await until('many', isReady)
    expect(many.state === 'ready' && many.tools.length + many.tools_left_out).toBe(1015)
  })
})

describe('the life of a session', () => {
  it('takes servers up and away with the configuration', async () => {
    const opened = await ready([stdio('one')])
    opened.servers = [stdio('two')]
    await opened.session.wake()
    await opened.until('two', isReady)
    expect(opened.session.states().map(({ name }) => name)).toEqual(['two'])
    expect(await processes()).toBe(1)
  })

  it('leaves no process behind', async () => {
    const { session } = await ready([stdio('one'), stdio('two')])
    expect(await processes()).toBe(2)
    await session.close()
    expect(await processes()).toBe(0)
    expect(session.tools()).toEqual([])
  })

  it('sleeps when nobody needs it, and wakes when somebody does', async () => {
    const opened = await ready([stdio('one')], { idleMs: 1500 })
    await opened.until('one', state => state.state === 'stopped')
    opened.session.tools()
    await opened.until('one', isReady)
  })

  it('restarts one server', async () => {
    const { session, until } = await ready([stdio('one')])
    expect(await session.restart('one')).toBe(true)
    await until('one', state => state.state === 'starting')
    await until('one', isReady)
    expect(await session.restart('other')).toBe(false)
    expect(await processes()).toBe(1)
  })
})

async function processes(): Promise<number> {
  const { stdout } = await sandbox.handle.exec({ argv: ['sh', '-c', `pgrep -fc "^python3 ${SCRIPT}" || true`] })
  return Number(stdout)
}
