import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { intentOf } from '../../renderer/pages/conversation/confirmation/intent-words.ts'
import { labelOf } from '../../renderer/pages/conversation/timeline/action/labels.ts'
import { opensByItself, outcomeWords } from '../../renderer/pages/conversation/timeline/action/outcome-words.ts'
import { RequestBody } from '../../renderer/pages/conversation/timeline/action/RequestBody.tsx'
import { Markdown } from '../../renderer/pages/conversation/timeline/message/Markdown.tsx'
import { itemsOf } from '../../renderer/state/conversation/items.ts'
import { SecretText } from '../../renderer/ui/field/SecretText.tsx'
import { HIDDEN } from '../../server/api/contract/hidden-values.ts'
import { type Action, type ActionKind, action } from '../../server/api/event/actions.ts'
import type { Observation } from '../../server/api/event/observations.ts'
import { EventLog } from './conversation/events.ts'

const PATCH =
  '*** Begin Patch\n*** Add File: a.ts\n+one\n*** Delete File: b.ts\n*** Update File: c.ts\n@@\n-x\n+y\n*** End Patch'

/** Of every kind one: what its line says, and what the card says that the agent wants. */
const WORDS: Record<ActionKind, [fields: object, label: string, intent: string]> = {
  TerminalAction: [{ command: 'npm test' }, 'npm test', 'run a command in the sandbox'],
  FileEditorAction: [{ command: 'create', path: '/a.ts' }, 'Create /a.ts', 'create /a.ts'],
  ApplyPatchAction: [{ patch: PATCH }, 'Change a.ts, b.ts, c.ts', 'create 1 file, change 1 file, delete 1 file'],
  GrepAction: [
    { pattern: 'total', include: '*.ts', path: '/src' },
    'Search for total in *.ts under /src',
    'search the files of the sandbox',
  ],
  GlobAction: [{ pattern: '**/*.ts' }, 'Find files **/*.ts', 'search the files of the sandbox'],
  TaskTrackerAction: [{ command: 'plan' }, 'Update the task list', 'write its task list'],
  ThinkAction: [{ thought: 'Hm.' }, 'Think', 'note a thought'],
  InvokeSkillAction: [{ name: 'release' }, 'Use the skill release', 'read the skill “release”'],
  TaskAction: [
    { prompt: 'Find it.\nThen stop.' },
    'Delegate Find it.',
    'hand a task to a sub-agent, which works in the same sandbox',
  ],
  MCPToolAction: [{ data: {} }, 'Call tool', 'call tool, a tool of a tool server, with these arguments'],
  ClientToolAction: [{ data: {} }, 'Call tool', 'call tool, a tool of another program, with these arguments'],
  BrowserNavigateAction: [
    { url: 'https://a.example' },
    'Open https://a.example',
    'open https://a.example in the sandbox’s browser',
  ],
  BrowserClickAction: [{ index: 3 }, 'Click element 3', 'click element 3 of the page'],
  BrowserTypeAction: [{ index: 3, text: 'hi' }, 'Type into element 3 hi', 'type “hi” into element 3 of the page'],
  BrowserGetStateAction: [{}, 'Look at the page', 'use the sandbox’s browser'],
  BrowserGetContentAction: [{}, 'Read the page', 'use the sandbox’s browser'],
  BrowserScrollAction: [{}, 'Scroll down', 'use the sandbox’s browser'],
  BrowserGoBackAction: [{}, 'Go back to the page before', 'use the sandbox’s browser'],
  BrowserListTabsAction: [{}, 'List the tabs', 'use the sandbox’s browser'],
  BrowserSwitchTabAction: [{ tab_id: 'ab12' }, 'Switch to tab ab12', 'use the sandbox’s browser'],
  BrowserCloseTabAction: [{ tab_id: 'ab12' }, 'Close tab ab12', 'use the sandbox’s browser'],
  BrowserGetStorageAction: [{}, 'Read what pages store', 'read the cookies and stored data of the sandbox’s browser'],
  BrowserSetStorageAction: [
    { storage_state: {} },
    'Write what pages store',
    'change the cookies and stored data of the sandbox’s browser',
  ],
  FinishAction: [{ message: 'Done.' }, 'Finish', 'finish'],
}

describe.each(Object.entries(WORDS))('%s', (kind, [fields, label, intent]) => {
  const event = { action: action.parse({ kind, ...fields }), tool_name: 'tool' }

  test('is said in a line and on the card', () => {
    const { verb, subject } = labelOf(event)
    expect([verb, subject].filter(Boolean).join(' ')).toBe(label)
    expect(intentOf(event)).toBe(intent)
  })

  test('can be shown before anything came of it', () => {
    const tool_call = { id: 'a', name: 'tool', arguments: '{"a":1}', origin: 'completion' as const }
    expect(() => renderToStaticMarkup(<RequestBody event={{ ...event, tool_call }} answered={false} />)).not.toThrow()
  })
})

test('a call that could not be read, and one of a kind to come, are named with their arguments', () => {
  const tool_call = { id: 'a', name: 'fly', arguments: '{"height": 3}', origin: 'completion' as const }
  const future = { kind: 'FlyAction' } as unknown as Action
  for (const unknown of [null, future]) {
    expect(labelOf({ action: unknown, tool_name: 'fly' })).toMatchObject({ verb: 'Call', subject: 'fly' })
    expect(intentOf({ action: unknown, tool_name: 'fly' })).toBe('call fly with these arguments')
    const shown = renderToStaticMarkup(
      <RequestBody event={{ action: unknown, tool_name: 'fly', tool_call }} answered={false} />,
    )
    expect(shown).toContain('height')
  }
})

describe('what came of it is said in a few words', () => {
  const base = { content: [], is_error: false }
  const cases: [name: string, of: object, observation: Observation, words: string[]][] = [
    [
      'a patch',
      { kind: 'ApplyPatchAction', patch: PATCH },
      {
        kind: 'ApplyPatchObservation',
        ...base,
        message: '',
        fuzz: 0,
        commit: {
          changes: {
            'a.ts': { type: 'add', new_content: 'one\n' },
            'b.ts': { type: 'delete', old_content: 'two\nthree\n' },
          },
        },
      },
      ['2 files', '+1 −2'],
    ],
    [
      'a search that was cut',
      { kind: 'GrepAction', pattern: 'x' },
      { kind: 'GrepObservation', ...base, matches: ['a', 'b'], pattern: 'x', search_path: '/', truncated: true },
      ['first 2 matches'],
    ],
    [
      'a search without a find',
      { kind: 'GlobAction', pattern: 'x' },
      { kind: 'GlobObservation', ...base, files: [], pattern: 'x', search_path: '/', truncated: false },
      ['nothing found'],
    ],
    [
      'a task list',
      { kind: 'TaskTrackerAction', command: 'plan' },
      {
        kind: 'TaskTrackerObservation',
        ...base,
        command: 'plan',
        task_list: [
          { title: 'a', notes: '', status: 'done' },
          { title: 'b', notes: '', status: 'todo' },
        ],
      },
      ['1 of 2 done'],
    ],
    [
      'a tool that failed',
      { kind: 'MCPToolAction', data: {} },
      { kind: 'MCPToolObservation', ...base, is_error: true, tool_name: 'x' },
      ['failed', '1.0 s'],
    ],
  ]
  test.each(cases)('%s', (_name, of, observation, words) => {
    const eventLog = new EventLog()
    eventLog.answer(eventLog.call(action.parse(of)), observation)
    const [item] = itemsOf(eventLog.events)
    if (item?.kind !== 'action') throw new Error('The call is an item.')
    expect(outcomeWords(item.outcome)).toEqual(words)
  })
})

test('reads and searches in a row are one item', () => {
  const eventLog = new EventLog()
  eventLog.read('/a')
  eventLog.answer(eventLog.call(action.parse({ kind: 'GrepAction', pattern: 'x' })), {
    kind: 'GrepObservation',
    content: [],
    is_error: false,
    matches: [],
    pattern: 'x',
    search_path: '/',
    truncated: false,
  })
  expect(itemsOf(eventLog.events)).toMatchObject([{ kind: 'reads', actions: [{}, {}] }])
})

test('a command that turns its own text around is shown with what turns it', () => {
  const text = renderToStaticMarkup(<SecretText text={`rm \u202Etxt.x\u2066 ${HIDDEN}`} />)
  expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
  expect(text).toContain('U+202E')
  expect(text).toContain('U+2066')
  expect(text).toContain('Its value is hidden')
})

describe('a hidden secret', () => {
  test('is a mark in text, in prose and in code', () => {
    const text = renderToStaticMarkup(<SecretText text={`a${HIDDEN}b${HIDDEN}`} />)
    expect(text.match(/Its value is hidden/g)).toHaveLength(2)
    expect(text).not.toContain('secret-hidden')
    const prose = renderToStaticMarkup(<Markdown text={`The key ${HIDDEN} works.\n\n    export A=${HIDDEN}\n`} />)
    expect(prose.match(/Its value is hidden/g)).toHaveLength(2)
  })
})

test('a call that was rejected with a reason of the person is open, one that was rejected without is not', () => {
  const eventLog = new EventLog()
  const call = () => eventLog.call(action.parse({ kind: 'TerminalAction', command: 'rm -r src' }))
  eventLog.reject(call(), 'Never delete the sources.')
  eventLog.reject(call(), 'User rejected the action.')
  const outcomes = itemsOf(eventLog.events).flatMap(item => (item.kind === 'action' ? [item.outcome] : []))
  expect(outcomes.map(outcomeWords)).toEqual([['rejected by you'], ['rejected by you']])
  expect(outcomes.map(opensByItself)).toEqual([true, false])
})
