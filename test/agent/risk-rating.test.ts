import { describe, expect, it } from 'vitest'
import { rateCall } from '../../server/agent/risk-rating.ts'
import type { Action } from '../../server/api/event/actions.ts'
import type { SecurityAnalyzer, SecurityRisk } from '../../server/api/v1/conversation/confirmation.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'

const command = (text: string, change: { is_input?: boolean; reset?: boolean } = {}): Action => ({
  kind: 'TerminalAction',
  command: text,
  is_input: false,
  reset: false,
  ...change,
})
const toolCall: Action = { kind: 'MCPToolAction', data: { name: 'x' } }

interface Situation {
  analyzer?: SecurityAnalyzer | null
  modelRisk?: SecurityRisk
  tool?: Partial<Pick<Tool, 'cwd' | 'page' | 'readOnly' | 'destructive'>>
  earlier?: Action[]
}

function rate(action: Action, { analyzer = 'llm', modelRisk = 'UNKNOWN', tool = {}, earlier = [] }: Situation = {}) {
  const called = { ...(createThink() as Tool), readOnly: false, ...tool }
  return rateCall({ action, tool: called, modelRisk, earlier }, { analyzer, workingDir: '/workspace' })
}

describe('a relative path', () => {
  const write = command('echo x > hosts')

  it.each([
    ['is the working directory’s before there is a shell', undefined, 'LOW'],
    ['is where the shell stands', '/etc', 'HIGH'],
    ['is inside where the shell stands inside', '/workspace/src', 'LOW'],
    ['is anywhere while a command goes on', null, 'MEDIUM'],
  ])('%s', (_what, cwd, risk) => {
    expect(rate(write, { tool: { cwd: () => cwd } }).risk).toBe(risk)
  })

  it.each([
    command('cd /etc'),
    command('npm ci && cd ..'),
    command('pushd /'),
    command('$GO'),
    command('eval "$X"'),
    command('. ./go.sh'),
    command('(echo; source go.sh)'),
    command('c\\d /etc'),
    command('`go`'),
    command('y', { is_input: true }),
    command('', { reset: true }),
  ])('is anywhere after $command in the same answer', earlier => {
    expect(rate(write, { tool: { cwd: () => '/workspace' }, earlier: [earlier] }).risk).toBe('MEDIUM')
  })

  it.each([command('npm test'), command('git add abcd.ts record'), toolCall])(
    'stays where it is after what cannot move a shell: %j',
    earlier => {
      expect(rate(write, { tool: { cwd: () => '/workspace' }, earlier: [earlier] }).risk).toBe('LOW')
    },
  )

  it('of another tool is the working directory’s, wherever the shell stands', () => {
    const patch: Action = { kind: 'ApplyPatchAction', patch: '*** Begin Patch\n*** Add File: hosts\n+x\n*** End Patch' }
    expect(rate(patch, { tool: { cwd: () => '/etc' } }).risk).toBe('LOW')
  })
})

describe('a click', () => {
  const click: Action = { kind: 'BrowserClickAction', index: 0, new_tab: false }
  const page = () => 'http://localhost:3000/'

  it('is rated by the page on which the browser stands, unless a call before it may lead elsewhere', () => {
    expect(rate(click, { tool: { page } }).risk).toBe('LOW')
    expect(rate(click, { tool: { page: () => 'https://shop.example/' } }).reasons).toEqual([
      'Clicks on a page of shop.example',
    ])
    const look: Action = { kind: 'BrowserGetStateAction', include_screenshot: false }
    expect(rate(click, { tool: { page }, earlier: [look, command('ls')] }).risk).toBe('LOW')
    expect(rate(click, { tool: { page }, earlier: [click] }).risk).toBe('MEDIUM')
  })
})

describe('a tool server’s word on its tool', () => {
  it.each([
    ['reads', { readOnly: true }, 'LOW'],
    ['says nothing', {}, 'MEDIUM'],
    ['deletes', { destructive: true }, 'HIGH'],
    ['claims to read and delete', { readOnly: true, destructive: true }, 'LOW'],
  ])('%s', (_what, tool, risk) => {
    expect(rate(toolCall, { tool }).risk).toBe(risk)
  })
})

describe('the model’s own word', () => {
  it('raises a rating, and the reasons say who did', () => {
    expect(rate(command('npm ci'), { modelRisk: 'HIGH' })).toEqual({
      risk: 'HIGH',
      reasons: [...rate(command('npm ci')).reasons, 'The model itself rates this HIGH'],
    })
  })

  it.each(['LOW', 'UNKNOWN', 'MEDIUM'] as const)('%s lowers nothing and is no reason', modelRisk => {
    expect(rate(command('rm -rf /'), { modelRisk })).toEqual(rate(command('rm -rf /')))
  })

  it('does not count for the local analyzer, nor for what only reads', () => {
    expect(rate(command('ls'), { analyzer: 'local', modelRisk: 'HIGH' }).risk).toBe('LOW')
    expect(rate(command('ls'), { tool: { readOnly: true }, modelRisk: 'HIGH' }).risk).toBe('LOW')
  })

  it('is the rating where there is no analyzer, with the reasons that can be seen', () => {
    const { risk, reasons } = rate(command('rm -rf /'), { analyzer: null, modelRisk: 'LOW' })
    expect(risk).toBe('LOW')
    expect(reasons).toEqual(rate(command('rm -rf /')).reasons)
    expect(reasons).not.toEqual([])
  })
})
