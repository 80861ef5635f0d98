import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rating, rateAction } from '../../server/agent/risk.ts'
import type { Action } from '../../server/api/event/actions.ts'
import { RANK } from '../../server/domain/security-risk.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'
import { DANGER_CASES } from './data/danger-cases.ts'
import { HARMLESS_CASES } from './data/harmless-cases.ts'

const FAILED = 'The risk of this could not be worked out'
const WORKING_DIR = '/workspace'
/** Far more than any rating takes, and far less than what grows without bound. The processor's time, not the clock's. */
const MAX_MS = 1_000

const DANGERS = DANGER_CASES.filter(({ risk }) => risk === 'HIGH').flatMap(({ commands }) => commands)
const HARMLESS = HARMLESS_CASES.filter(({ risk }) => risk === 'LOW').flatMap(({ commands }) => commands)

function command(text: string): Action {
  return { kind: 'TerminalAction', command: text, is_input: false, reset: false }
}

function rate(action: Action): Rating {
  return rateAction(action, { workingDir: WORKING_DIR })
}

/** Rates within the time, and by the rules: the answer to a failure would hide that there was one. */
function rateInTime(action: Action): Rating {
  let rating: Rating = { risk: 'HIGH', reasons: [FAILED] }
  expect(processorTime(() => (rating = rate(action)))).toBeLessThan(MAX_MS)
  expect(rating.reasons).not.toContain(FAILED)
  expect(rating.reasons.length > 0).toBe(rating.risk !== 'LOW')
  return rating
}

const bytes = fc.uint8Array({ maxLength: 400 }).map(given => Buffer.from(given).toString('latin1'))
const anyText = fc.oneof(bytes, fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...DANGERS, ...HARMLESS))

describe('whatever is asked for, a rating comes in time', () => {
  const anyAction = fc.oneof<fc.Arbitrary<Action>[]>(
    fc.record({
      kind: fc.constant('TerminalAction' as const),
      command: anyText,
      is_input: fc.boolean(),
      reset: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('FileEditorAction' as const),
      command: fc.constantFrom('view' as const, 'create' as const, 'str_replace' as const),
      path: anyText,
    }),
    fc.record({
      kind: fc.constant('ApplyPatchAction' as const),
      patch: anyText.map(text => `*** Add File: ${text}\n*** Delete File: ${text}`),
    }),
    fc.record({ kind: fc.constant('BrowserNavigateAction' as const), url: anyText, new_tab: fc.boolean() }),
    fc.record({
      kind: fc.constant('MCPToolAction' as const),
      data: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<never>),
    }),
  )

  test('for every kind of action and any bytes', () => {
    fc.assert(
      fc.property(anyAction, action => void rateInTime(action)),
      { numRuns: 800 },
    )
  })

  test('for text that is repeated up to and beyond the limit of a command', () => {
    const huge = fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 20_000 }),
    )
    fc.assert(
      fc.property(huge, ([text, times]) => void rateInTime(command(text.repeat(times)))),
      { numRuns: 60 },
    )
  })
})

describe('a rating does not fall', () => {
  test('because something harmless stands before a dangerous command', () => {
    const before = fc.array(fc.constantFrom('ls', 'git status', 'npm test', 'true', 'cat README.md', 'echo ok'), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(before, fc.constantFrom('; ', '\n', ' && '), fc.constantFrom(...DANGERS), (harmless, by, danger) => {
        const text = [...harmless, danger].join(by)
        expect(RANK[rateInTime(command(text)).risk], text).toBeGreaterThanOrEqual(RANK[rate(command(danger)).risk])
      }),
      { numRuns: 600 },
    )
  })

  test('however many shells stand around a command, each with quotes of its own', () => {
    const inSingle = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
    const inDouble = (text: string) => `"${text.replace(/["\\$`]/g, '\\$&')}"`
    const shell = fc.tuple(fc.constantFrom('sh -c', 'bash -c', 'eval'), fc.constantFrom(inSingle, inDouble))
    const plain = DANGERS.filter(each => !/[\n!]/.test(each) && each.length < 60)
    fc.assert(
      fc.property(fc.array(shell, { minLength: 1, maxLength: 4 }), fc.constantFrom(...plain), (shells, danger) => {
        const text = shells.reduce((inner, [program, quote]) => `${program} ${quote(inner)}`, danger)
        expect(rateInTime(command(text)).risk, text).toBe('HIGH')
      }),
      { numRuns: 400 },
    )
  })
})

describe('a rating does not change', () => {
  const any = fc.constantFrom(...DANGERS, ...HARMLESS)
  const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n'), maxLength: 20 })

  test('with the white space around a command', () => {
    fc.assert(
      fc.property(any, space, space, (text, before, after) => {
        expect(rate(command(before + text + after))).toEqual(rate(command(text)))
      }),
      { numRuns: 400 },
    )
  })

  test('with the white space between words, where nothing is quoted', () => {
    const unquoted = [...DANGERS, ...HARMLESS].filter(text => /^[\w./~@:=-]+( [\w./~@:=-]+)+$/.test(text))
    expect(unquoted.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(fc.constantFrom(...unquoted), fc.constantFrom('  ', '\t', ' \t ', ' \\\n '), (text, by) => {
        expect(rate(command(text.replaceAll(' ', by)))).toEqual(rate(command(text)))
      }),
      { numRuns: 400 },
    )
  })

  test('when it is asked for again', () => {
    fc.assert(
      fc.property(anyText, text => void expect(rate(command(text))).toEqual(rate(command(text)))),
      { numRuns: 300 },
    )
  })
})
