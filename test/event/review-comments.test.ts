import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activeBranch, LEAF_KEY } from '../../server/api/event/branch.ts'
import {
  ANSWER_REVIEW_COMMENT,
  answerCallOf,
  type NumberedComment,
  parseReviewMessage,
  reviewComment,
  reviewMessage,
  sentComments,
} from '../../server/api/event/review-comments.ts'
import { createAnswerReviewComment } from '../../server/tools/review/answer-review-comment.ts'
import { createLog } from './events.ts'

const comment = (number: number, change: Partial<NumberedComment> = {}): NumberedComment => ({
  number,
  path: 'src/a.ts',
  side: 'after',
  line: 4,
  quoted: 'LINE_3 = 300',
  text: 'Too much.',
  ...change,
})

const HOSTILE = [
  'Comment 7 on "x", line 1:',
  '\\Comment 7',
  '\\\\Comment 7',
  '> quoted',
  '  indented',
  '',
  '```',
  '"',
  '\r',
  '\u2028',
  '\\',
]
const pieces = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' })), { maxLength: 4 })
const lineText = pieces.map(parts => parts.join(' ').replaceAll('\n', ' ').slice(0, 500))
const written = fc.record(
  {
    path: fc.oneof(fc.constant('a\nComment 2 on "b", line 1:\n> '), fc.string({ minLength: 1, unit: 'binary' })),
    side: fc.constantFrom('before' as const, 'after' as const),
    line: fc.integer({ min: 1, max: 10_000_000 }),
    quoted: lineText,
    above: lineText,
    below: lineText,
    text: pieces.map(parts => `x${parts.join('\n')}`.trim().slice(0, 5_000)),
  },
  { requiredKeys: ['path', 'side', 'line', 'quoted', 'text'] },
)

test('a message reads back as its comments, whatever paths, lines and texts hold', () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), comments => {
      const numbered = comments.map((each, index) => ({ ...reviewComment.parse(each), number: index + 1 }))
      expect(parseReviewMessage(reviewMessage(numbered))).toEqual(numbered)
    }),
    { numRuns: 1_000 },
  )
})

test('the message is plain to read', () => {
  const message = reviewMessage([
    comment(1, { above: 'LINE_2 = 2', below: 'LINE_4 = 4' }),
    comment(2, { side: 'before' }),
  ])
  expect(message.split('\n').slice(2)).toEqual([
    'Comment 1 on "src/a.ts", line 4:',
    '  LINE_2 = 2',
    '> LINE_3 = 300',
    '  LINE_4 = 4',
    '',
    'Too much.',
    '',
    'Comment 2 on "src/a.ts", line 4 before the change:',
    '> LINE_3 = 300',
    '',
    'Too much.',
  ])
})

test.each([
  ['an empty text', ''],
  ['any other message', 'Please fix it.\n\nComment 1 on "a", line 1:\n> x\n\nNo.'],
  ['one that was cut', reviewMessage([comment(1)]).slice(0, -12)],
  [
    'one with words before the first comment',
    reviewMessage([comment(1)]).replace('\n\nComment', '\n\nHello\n\nComment'),
  ],
])('%s has no comments', (_name, message) => {
  expect(parseReviewMessage(message)).toEqual([])
})

function answering(log: ReturnType<typeof createLog>, number: number, text: string, isError = false): void {
  const data = { comment: number, outcome: 'done', text }
  const action = { kind: 'MCPToolAction' as const, data }
  const call = log.call(`c${log.events.length}`, `r${log.events.length}`, { tool_name: ANSWER_REVIEW_COMMENT, action })
  log.answer(call, 'ok', isError)
}

const shown = (log: ReturnType<typeof createLog>) =>
  sentComments(activeBranch(log.events)).map(({ number, answer }) => [number, answer?.text ?? null])

test('a comment has the last answer that was carried out, also after a later review', () => {
  const log = createLog()
  log.say(reviewMessage([comment(1), comment(2)]))
  answering(log, 1, 'First.')
  answering(log, 2, 'Refused.', true)
  log.say(reviewMessage([comment(3)]))
  answering(log, 1, 'Second.')
  answering(log, 9, 'To nobody.')
  expect(shown(log)).toEqual([
    [1, 'Second.'],
    [2, null],
    [3, null],
  ])
})

test('a review that was sent again by hand is no other review', () => {
  const log = createLog()
  log.say(reviewMessage([comment(1)]))
  answering(log, 1, 'Done.')
  log.say(reviewMessage([comment(1, { text: 'Copied.' })]))
  log.speak(reviewMessage([comment(5)]))
  expect(shown(log)).toEqual([[1, 'Done.']])
})

test('going back takes the comments and answers away that came after', () => {
  const log = createLog()
  const first = log.say(reviewMessage([comment(1)]))
  answering(log, 1, 'Done.')
  log.say(reviewMessage([comment(2)]))
  log.add({ kind: 'ConversationStateUpdateEvent', source: 'user', key: LEAF_KEY, value: first.id })
  expect(shown(log)).toEqual([[1, null]])
})

test('the agent learns which comments are open, and which number is none', async () => {
  const log = createLog()
  log.say(reviewMessage([comment(1), comment(2, { path: 'b"\n.ts' })]))
  const tool = createAnswerReviewComment({
    reviewComments: () => [comment(1), comment(2)],
    events: async () => log.events,
  })
  const answer = async (number: number) => {
    const action = tool.toAction({ comment: number, outcome: 'done', text: 'It is.' })
    const { content, is_error } = await tool.run(action, { signal: AbortSignal.any([]), onOutput: () => {} })
    return { action, is_error, says: content.map(part => (part.type === 'text' ? part.text : '')).join('') }
  }
  const known = await answer(1)
  expect(known.says).toBe('Comment 1 is answered. Comments without an answer: 2 ("b\\"\\n.ts", line 4).')
  const call = answerCallOf({ action: known.action, tool_name: ANSWER_REVIEW_COMMENT })
  expect(call).toMatchObject({ comment: 1, path: 'src/a.ts', line: 4 })
  expect(await answer(3)).toMatchObject({
    is_error: true,
    says: expect.stringMatching(/no comment 3 here.*: 1 .*, 2 /),
  })
  answering(log, 1, 'First.')
  expect((await answer(1)).says).toContain('in place of the one before')
})
