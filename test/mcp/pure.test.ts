import { describe, expect, it } from 'vitest'
import { mcpConfig } from '../../server/api/v1/settings/mcp.ts'
import { mcpServerInput, mcpServerName, mcpServersInput } from '../../server/api/v1/settings/mcp-servers.ts'
import { argumentsOf } from '../../server/mcp/arguments.ts'
import { NO_CONVERSATION_SERVERS, namedServers } from '../../server/mcp/configured.ts'
import { launch } from '../../server/mcp/connection/launch.ts'
import { ServerLog } from '../../server/mcp/connection/server-log.ts'
import { toContent } from '../../server/mcp/result.ts'
import { isReference, secretValues } from '../../server/mcp/secret-values.ts'
import { ToolNames } from '../../server/mcp/tool-names.ts'
import { ARGUMENT_CASES, SECRET_CASES, SERVER_CASES } from './cases.ts'

describe('arguments by a JSON schema', () => {
  it.each(ARGUMENT_CASES)('$name', ({ schema, given, repaired, problem }) => {
    const read = argumentsOf(schema)
    const ready = read.repair(given)
    if (repaired) expect(ready).toEqual(repaired)
    if (problem === null) expect(read.problem(ready)).toBeNull()
    else expect(read.problem(ready)).toMatch(problem)
  })
})

describe('what is secret in a configuration', () => {
  it.each(SECRET_CASES)('$name', ({ server, hidden, shown }) => {
    const found = secretValues(mcpServerInput.parse(server))
    expect(found).toEqual(expect.arrayContaining(hidden))
    for (const value of shown) expect(found).not.toContain(value)
  })
})

describe('a server as clients write it', () => {
  it.each(SERVER_CASES)('$name', ({ given, understood }) => {
    const result = mcpServerInput.safeParse(given)
    if (understood === null) expect(result.success).toBe(false)
    else expect(result.data).toMatchObject(understood)
  })

  it('many by their names, wrapped or not', () => {
    const one = { one: { command: 'x' } }
    expect(Object.keys(mcpServersInput.parse(one))).toEqual(['one'])
    expect(Object.keys(mcpServersInput.parse({ mcpServers: one }))).toEqual(['one'])
    expect(mcpServersInput.safeParse({ 'a b': { command: 'x' } }).success).toBe(false)
    expect(mcpServerName.safeParse('__proto__').success).toBe(false)
  })
})

describe('the servers of a conversation', () => {
  const settings = mcpConfig.parse({
    stdio_servers: [{ name: 'files', command: 'x' }],
    shttp_servers: [
      { url: 'https://mcp.example.com/v1' },
      { url: 'https://www.example.com/other' },
      { url: 'http://localhost:9000/mcp' },
      { url: 'http://192.168.1.2:80/mcp' },
    ],
  })
  const names = (sources: Partial<Parameters<typeof namedServers>[0]>) =>
    namedServers({ settings: null, kept: NO_CONVERSATION_SERVERS, searchKey: null, ...sources }).map(({ name }) => name)

  it('have names of their own, made of their addresses', () => {
    expect(names({ settings })).toEqual(['files', 'example', 'example_2', 'localhost_9000', '192_168_1_2'])
  })

  it('are its own in the place of those of the settings, with what was added and without what was removed', () => {
    const config = mcpConfig.parse({ stdio_servers: [{ name: 'own', command: 'x' }] })
    const added = { more: mcpServerInput.parse({ command: 'y' }) }
    expect(names({ settings, kept: { ...NO_CONVERSATION_SERVERS, config, added } })).toEqual(['own', 'more'])
    expect(names({ settings, kept: { ...NO_CONVERSATION_SERVERS, added, removed: ['files', 'example'] } })).toEqual([
      'example_2',
      'localhost_9000',
      '192_168_1_2',
      'more',
    ])
  })

  it('search with the key of the search, which no address carries', () => {
    const [search] = namedServers({ settings: null, kept: NO_CONVERSATION_SERVERS, searchKey: 'tvly-key' })
    expect(search).toMatchObject({ name: 'tavily', source: 'search' })
    expect(JSON.stringify(search?.server).match(/tvly-key/g)).toHaveLength(1)
    expect(search?.server).toMatchObject({ auth: { strategy: 'bearer', value: 'tvly-key' } })
    expect(names({ searchKey: 'another-key' })).toEqual([])
  })
})

describe('names of tools', () => {
  it('are given once, and never ours', () => {
    const tools = new ToolNames()
    expect(tools.nameOf('a', 'search')).toBe('search')
    expect(tools.nameOf('b', 'search')).toBe('b_search')
    expect(tools.nameOf('a', 'search')).toBe('search')
    for (const ours of ['Terminal', 'finish', 'bash', 'browser_navigate', 'file_editor', 'task']) {
      expect(tools.nameOf('x', ours)).toBe(`x_${ours}`)
    }
    expect(tools.nameOf('1', '2 + 2')).toMatch(/^_2/)
  })

  it('stay apart when they are cut', () => {
    const tools = new ToolNames()
    const long = 'x'.repeat(100)
    const names = [tools.nameOf('a', `${long}1`), tools.nameOf('a', `${long}2`), tools.nameOf('b', `${long}1`)]
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name.length).toBeLessThanOrEqual(64)
  })
})

it.each(['$TOKEN', '${TOKEN}', 'Bearer $TOKEN'])('the name %s in the place of a secret is no secret', value => {
  expect(isReference(value)).toBe(true)
})

it.each(['pa$word', '$TOKEN-x', '$'])('%s is no mere name', value => {
  expect(isReference(value)).toBe(false)
})

describe('a start in the sandbox', () => {
  it('keeps arguments and environment out of what the engine shows', () => {
    const { argv, input } = launch({ command: 'it', args: ["a'b", 'c\nd'], guard: [], env: { KEY: 'sec\nret' } })
    expect(argv.join(' ')).not.toMatch(/a'b|sec/)
    expect(input).toContain(`export KEY='sec\nret'`)
    expect(input).toContain(`exec 'it' 'a'\\''b' 'c\nd'`)
    expect(input.endsWith(`${argv.at(-1)}\n`)).toBe(true)
  })
})

describe('answers', () => {
  it('show pictures that are pictures, and say what was left out', () => {
    const picture = { type: 'image' as const, data: 'AAAA', mimeType: 'image/PNG' }
    const parts = toContent({ content: Array.from({ length: 12 }, () => ({ ...picture })) })
    expect(parts.filter(({ type }) => type === 'image')).toHaveLength(10)
    expect(parts.at(-1)).toEqual({ type: 'text', text: '[2 more pictures are left out.]' })
    expect(toContent({ content: [{ ...picture, mimeType: 'image/svg+xml' }] })[0]?.type).toBe('text')
    expect(toContent({ content: [{ ...picture, data: '<svg>' }] })[0]?.type).toBe('text')
  })

  it('are never nothing', () => {
    expect(toContent({ content: [] })).toEqual([{ type: 'text', text: '[The tool answered without any content.]' }])
    expect(toContent({ content: [], structuredContent: { a: 1 } })[0]).toMatchObject({ text: '{\n  "a": 1\n}' })
  })
})

describe('a log', () => {
  it('keeps the last lines, masked, also those that come in pieces', () => {
    const log = new ServerLog(text => text.replaceAll('secret', '***'))
    log.write(Buffer.from('a sec'))
    log.write(Buffer.from('ret\nrest'))
    expect(log.lines()).toEqual(['a ***'])
    for (let line = 0; line < 300; line++) log.add(`${line}`)
    expect(log.lines()).toHaveLength(200)
    expect(log.lines().at(-1)).toBe('299')
    log.write(Buffer.from('x'.repeat(10_000)))
    expect(log.lines().at(-1)?.length).toBeLessThan(600)
  })
})
