import { describe, expect, test } from 'vitest'
import { type RiskContext, rateAction } from '../../server/agent/risk.ts'
import type { Action } from '../../server/api/event/actions.ts'
import type { SecurityRisk } from '../../server/api/v1/conversation/confirmation.ts'
import { higherRisk } from '../../server/domain/security-risk.ts'

function rate(action: Action, context: Partial<RiskContext> = {}) {
  return rateAction(action, { workingDir: '/workspace', ...context })
}

const edit = (path: string, command: 'view' | 'create' = 'create'): Action => ({
  kind: 'FileEditorAction',
  command,
  path,
})
const patch = (...lines: string[]): Action => ({
  kind: 'ApplyPatchAction',
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
})
const visit = (url: string): Action => ({ kind: 'BrowserNavigateAction', url, new_tab: false })
const click: Action = { kind: 'BrowserClickAction', index: 3, new_tab: false }
const typeText = (text: string): Action => ({ kind: 'BrowserTypeAction', index: 3, text })
const tool = (data: Record<string, unknown>): Action => ({ kind: 'MCPToolAction', data })
const type = (command: string): Action => ({ kind: 'TerminalAction', command, is_input: true, reset: false })

describe('actions of the other tools', () => {
  test.each<[string, Action, SecurityRisk]>([
    ['an edit in the working directory', edit('/workspace/src/a.ts'), 'LOW'],
    ['a new file beside it that only begins the same', edit('/workspace-other/a.ts'), 'MEDIUM'],
    ['an edit that climbs out', edit('/workspace/../etc/passwd'), 'HIGH'],
    ['an edit of a temporary file', edit('/tmp/a'), 'LOW'],
    ['an edit outside', edit('/opt/a'), 'MEDIUM'],
    ['a git hook', edit('/workspace/.git/hooks/pre-commit'), 'HIGH'],
    ['the configuration of a repository', edit('/workspace/sub/.git/config'), 'HIGH'],
    ['a workflow of the build server', edit('/workspace/.github/workflows/ci.yml'), 'MEDIUM'],
    ['the instructions of agents', edit('/workspace/AGENTS.md'), 'MEDIUM'],
    ['a shell start file', edit('/root/.bashrc'), 'HIGH'],
    ['keys that let somebody in', edit('/home/me/.ssh/authorized_keys'), 'HIGH'],
    ['the running system', edit('/proc/sys/kernel/core_pattern'), 'HIGH'],
    ['looking at code', edit('/workspace/a.ts', 'view'), 'LOW'],
    ['looking at the system', edit('/etc/os-release', 'view'), 'LOW'],
    ['looking at secrets of the project', edit('/workspace/.env', 'view'), 'MEDIUM'],
    ['looking at secrets outside', edit('/root/.aws/credentials', 'view'), 'HIGH'],
    ['a patch of code', patch('*** Update File: src/a.ts', '@@', '-a', '+b'), 'LOW'],
    ['a patch that adds a hook', patch('*** Add File: .git/hooks/pre-push', '+x'), 'HIGH'],
    ['a patch that moves outside', patch('*** Update File: a', '*** Move to: ../../etc/cron.d/a'), 'HIGH'],
    ['searching the code', { kind: 'GrepAction', pattern: 'x' }, 'LOW'],
    ['searching keys', { kind: 'GrepAction', pattern: 'x', path: '~/.ssh' }, 'HIGH'],
    ['listing', { kind: 'GlobAction', pattern: '*', path: '/workspace' }, 'LOW'],
    ['a page of this machine', visit('http://localhost:3000/a'), 'LOW'],
    ['a page of this machine in disguise', visit('http://2130706433/'), 'LOW'],
    ['a public page', visit('https://example.com'), 'MEDIUM'],
    ['a router', visit('http://192.168.0.1/'), 'MEDIUM'],
    ['credentials of the cloud', visit('http://169.254.169.254/latest'), 'HIGH'],
    ['credentials of the cloud in disguise', visit('http://0xa9fea9fe/latest'), 'HIGH'],
    ['a file in the browser', visit('file:///etc/hosts'), 'MEDIUM'],
    ['a secret in the browser', visit('file:///root/.ssh/id%5Frsa'), 'HIGH'],
    ['an address that is code', visit('javascript:alert(1)'), 'MEDIUM'],
    ['an address with a secret in it', visit('https://example.com/?key=$TOKEN'), 'HIGH'],
    ['a secret for the sandbox’s own server', visit('http://localhost:3000/?key=${TOKEN}'), 'LOW'],
    ['a click nobody knows where', click, 'MEDIUM'],
    ['typing nobody knows where', typeText('hello'), 'MEDIUM'],
    ['giving a page a file with keys', typeText('/root/.ssh/id_rsa'), 'HIGH'],
    ['reading cookies', { kind: 'BrowserGetStorageAction' }, 'MEDIUM'],
    ['setting cookies', { kind: 'BrowserSetStorageAction', storage_state: {} }, 'MEDIUM'],
    ['looking at a page', { kind: 'BrowserGetStateAction', include_screenshot: true }, 'LOW'],
    ['scrolling', { kind: 'BrowserScrollAction', direction: 'down' }, 'LOW'],
    ['a tool of a server', tool({ a: 1 }), 'MEDIUM'],
    ['a tool with the path of a secret', tool({ files: [{ path: '/root/.ssh/id_rsa' }] }), 'HIGH'],
    ['an answer to a question', type('y'), 'LOW'],
    ['a key', type('C-c'), 'LOW'],
    ['a dangerous command for the shell inside', type('rm -rf /'), 'HIGH'],
    ['text for a program inside', type('{"a": [1, 2]} | ;'), 'MEDIUM'],
    ['waiting', { kind: 'TerminalAction', command: '', is_input: false, reset: false }, 'LOW'],
    ['thinking', { kind: 'ThinkAction', thought: 'rm -rf /' }, 'LOW'],
  ])('%s', (_, action, risk) => {
    const rating = rate(action)
    expect(rating, rating.reasons.join('; ')).toMatchObject({ risk })
  })

  test('the words of a tool server raise a rating, and lower it only to LOW', () => {
    expect(rate(tool({}), { hints: { readOnlyHint: true } }).risk).toBe('LOW')
    expect(rate(tool({}), { hints: { destructiveHint: true } }).risk).toBe('HIGH')
    expect(rate(tool({ p: '/etc/shadow' }), { hints: { readOnlyHint: true } }).risk).toBe('HIGH')
  })
})

describe('where the browser stands', () => {
  test.each<[string, string | null, SecurityRisk, SecurityRisk, SecurityRisk]>([
    ['on a page of the sandbox', 'http://localhost:3000/a', 'LOW', 'LOW', 'MEDIUM'],
    ['on one that is not served at all', 'data:text/html,x', 'LOW', 'LOW', 'MEDIUM'],
    ['on a public page', 'https://example.com/', 'MEDIUM', 'MEDIUM', 'HIGH'],
    ['on one that only looks like the sandbox’s', 'https://localhost.example.com/', 'MEDIUM', 'MEDIUM', 'HIGH'],
    [
      'on one with a name and a password before the host',
      'http://localhost:1@example.com/',
      'MEDIUM',
      'MEDIUM',
      'HIGH',
    ],
    ['in the network', 'http://10.0.0.7/', 'MEDIUM', 'MEDIUM', 'HIGH'],
    ['where nobody knows', null, 'MEDIUM', 'MEDIUM', 'HIGH'],
  ])('%s: a click, text and a secret', (_, page, clicked, typed, secret) => {
    expect(rate(click, { page }).risk).toBe(clicked)
    expect(rate(typeText('it costs $5'), { page }).risk).toBe(typed)
    expect(rate(typeText('$TOKEN'), { page }).risk).toBe(secret)
  })
})

describe('where the shell stands', () => {
  const command = (text: string): Action => ({ kind: 'TerminalAction', command: text, is_input: false, reset: false })

  test('decides what a relative path is', () => {
    expect(rate(command('rm a'), { cwd: '/etc' }).risk).toBe('HIGH')
    expect(rate(command('echo x > a'), { cwd: '/workspace/src' }).risk).toBe('LOW')
    expect(rate(command('cd ../.. && echo x > etc/a')).risk).toBe('HIGH')
  })

  test('a project in a home is not the home', () => {
    const context = { workingDir: '/root/project' }
    expect(rate(command('echo x > /root/project/a'), context).risk).toBe('LOW')
    expect(rate(command('rm -rf ~/project'), context).risk).toBe('HIGH')
    expect(rate(command('echo x > ~/.profile'), context).risk).toBe('HIGH')
  })

  test('without a working directory every absolute path is outside', () => {
    expect(rate(command('touch /workspace/a'), { workingDir: '' }).risk).toBe('MEDIUM')
    expect(rate(command('ls'), { workingDir: '' }).risk).toBe('LOW')
  })
})

describe('reasons', () => {
  test('say what and where, the weightiest first, at most five', () => {
    const { reasons } = rate({ kind: 'TerminalAction', command: 'npm ci; rm -rf /etc', is_input: false, reset: false })
    expect(reasons).toEqual(['Deletes files outside the working directory: /etc', 'Installs packages'])
  })

  test('do not repeat a long command', () => {
    const { reasons } = rate({
      kind: 'TerminalAction',
      command: Array.from({ length: 40 }, (_, at) => `rm -rf /etc/${'x'.repeat(500)}${at}`).join(';'),
      is_input: false,
      reset: false,
    })
    expect(reasons.length).toBe(1)
    expect(reasons[0]?.length).toBeLessThan(201)
  })
})

describe('two ratings', () => {
  test('the higher counts', () => {
    expect(higherRisk('LOW', 'HIGH')).toBe('HIGH')
    expect(higherRisk('HIGH', 'LOW')).toBe('HIGH')
    expect(higherRisk('LOW', 'UNKNOWN')).toBe('LOW')
  })

  test('an analyzer that fails counts as HIGH', () => {
    const failing: Action = {
      ...edit('a'),
      get path(): string {
        throw new Error('no')
      },
    }
    expect(rate(failing)).toEqual({ risk: 'HIGH', reasons: ['The risk of this could not be worked out'] })
  })
})
