import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { getConversationSkills } from '../../../server/api/v1/conversation/skills.ts'
import { MCP_STDIO_SERVER } from '../../fakes/mcp-stdio-server.ts'
import { allReady, untilServers } from '../../parts/client/tool-servers.ts'
import { done, startTrusting, type Trusting } from '../../parts/client/trusting.ts'

const TOKEN = 'canary-skill-0123456789'
let scene: Trusting

beforeAll(async () => {
  scene = await startTrusting({ SKILL_TOKEN: TOKEN })
})
afterEach(() => scene.closeWatches())
afterAll(() => scene?.close())

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] })
const SKILL = '---\nname: served\ndescription: Has a server\n---\nUse its server.\n'

it('tool servers of skills run in the sandbox, and are given no secret', async () => {
  const { git, service, start, work } = scene
  const env = { SKILL_TOKEN: '${SKILL_TOKEN:-none}' }
  await git.add('served', {
    '.agents/skills/served/SKILL.md': SKILL,
    '.agents/skills/served/server.py': MCP_STDIO_SERVER,
    '.agents/skills/served/.mcp.json': JSON.stringify({
      mcpServers: {
        beside: { command: 'python3', args: ['${SKILL_ROOT}/server.py', 'asked'], env },
        elsewhere: { url: 'https://mcp.example.com' },
      },
    }),
    '.openhands/microagents/repo.md':
      '---\nname: repo\nmcp_tools:\n  stdio_servers:\n    - name: listed\n      command: python3\n      args: [.agents/skills/served/server.py]\n---\nBe kind.\n',
  })
  const started = await start('served')
  await work(started, [done])
  const states = await untilServers(service, started.id, allReady)
  expect(states.map(({ name, source }) => [name, source])).toEqual([
    ['listed', 'skill'],
    ['beside', 'skill'],
  ])
  const tool = (server: string, name: string) => {
    const state = states.find(one => one.name === server)
    const tools = state?.state === 'ready' ? state.tools : []
    return tools.find(({ server_name }) => server_name === name)?.name ?? ''
  }
  await work(started, [
    call(tool('beside', 'environment'), { name: 'SKILL_TOKEN' }),
    call(tool('beside', 'echo'), { text: 'with $SKILL_TOKEN' }),
    call(tool('listed', 'echo'), { text: 'marmalade' }),
    done,
  ])
  const results = started.seen
    .events()
    .flatMap(event => (event.kind === 'ObservationEvent' ? [JSON.stringify(event)] : []))
  expect(results.slice(-4, -1)).toEqual([
    expect.stringContaining('none'),
    expect.stringContaining('with $SKILL_TOKEN'),
    expect.stringContaining('marmalade'),
  ])
  expect(results.join()).not.toContain('<secret-hidden>')
  const { problems } = await service.client.call(getConversationSkills, { params: started.params })
  expect(problems).toEqual([expect.stringContaining('elsewhere is not started: it is an address')])
})
