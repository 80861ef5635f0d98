import { describe, expect, test } from 'vitest'
import { kindOfAction } from '../../server/agent/confirmation/call-kind.ts'
import { rateAction } from '../../server/agent/risk.ts'
import type { Action } from '../../server/api/event/actions.ts'
import { growthOfTime, processorTime } from '../parts/value/growth-of-time.ts'

const N = 100_000

function command(text: string): Action {
  return { kind: 'TerminalAction', command: text, is_input: false, reset: false }
}

function rate(action: Action) {
  return rateAction(action, { workingDir: '/workspace' })
}

describe('a huge command is rated HIGH at once, and in words', () => {
  test.each([
    ['of 1 MB', 'a '.repeat(500_000), 'Too long to be checked'],
    ['of 100,000 nested substitutions', `echo ${'$('.repeat(N)}ls${')'.repeat(N)}`, 'Too long to be checked'],
    ['of nested substitutions', `echo ${'$('.repeat(4000)}ls${')'.repeat(4000)}`, 'Too complicated to be checked'],
    ['of nested defaults', `echo ${'${a:-'.repeat(3000)}`, 'Too complicated to be checked'],
    ['of nested groups', '('.repeat(8000), 'Too complicated to be checked'],
    ['of backticks', '`'.repeat(8000), 'Too complicated to be checked'],
    ['of here-documents', `cat ${'<<A '.repeat(4000)}\n`, 'Too complicated to be checked'],
    [
      'of assignments that double',
      Array.from({ length: 900 }, (_, at) => `v${at}=$v${at - 1}$v${at - 1}`).join(';'),
      'Too complicated to be checked',
    ],
  ])('%s', (_, text, reason) => {
    rate(command('ls'))
    let rating = rate(command('ls'))
    const took = processorTime(() => {
      rating = rate(command(text))
    })
    expect(rating).toEqual({ risk: 'HIGH', reasons: [reason] })
    expect(took).toBeLessThan(1000)
  })

  test('and is of no kind that could be allowed for good', () => {
    for (const text of ['a '.repeat(500_000), `ls ${'('.repeat(8000)}`]) {
      expect(kindOfAction('terminal', command(text), 'LOW')).toMatchObject({ scope: 'exact' })
    }
  })
})

test('brace bombs are not spelled out', () => {
  const took = processorTime(() => {
    expect(rate(command(`echo ${'{1..100}'.repeat(100)}`)).risk).not.toBe('LOW')
    expect(rate(command(`echo ${'{a..z}'.repeat(2000)}`)).risk).not.toBe('LOW')
    expect(rate(command(`echo ${'{a,b}'.repeat(2000)}`)).risk).not.toBe('LOW')
  })
  expect(took).toBeLessThan(1000)
})

test.each([
  ['stars in a path', (size: number) => command(`cat /${'*'.repeat(size)}x`)],
  ['spaces in the header of a patch', (size: number) => patch(`*** Add File: a${' '.repeat(size * 10)}b`)],
  ['empty lines after the header of a patch', (size: number) => patch(`*** Add File:${'\n'.repeat(size * 10)}`)],
])('%s are rated in time that grows with them', (_, action) => {
  const work = (size: number) => {
    const given = action(size)
    return () => {
      rate(given)
    }
  }
  expect(growthOfTime(work, 12_000)).toBeLessThan(1.75)
})

test('a file of a patch is not hidden behind many others', () => {
  const many = '*** Update File: src/a.ts\n'.repeat(2_000)
  expect(rate(patch(`${many}*** Add File: .git/hooks/pre-commit\n`)).risk).toBe('HIGH')
})

test('a tool call with very many values is rated', () => {
  const data = { list: Array<string>(500_000).fill('a'), path: '/etc/shadow' }
  expect(() => rate({ kind: 'MCPToolAction', data } as unknown as Action)).not.toThrow()
})

function patch(text: string): Action {
  return { kind: 'ApplyPatchAction', patch: text }
}
