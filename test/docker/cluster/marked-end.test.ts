import { expect, it } from 'vitest'
import { MarkedEnd } from '../../../server/kubernetes/exec/marked-end.ts'

const MARK = 'abcabd'

function read(chunks: readonly string[]) {
  const codes: number[] = []
  const end = new MarkedEnd(MARK, code => codes.push(code))
  const taken = chunks.map(chunk => end.take(Buffer.from(chunk)).toString())
  return { taken, codes, rest: end.rest().toString() }
}

it('finds the end however it is cut', () => {
  const whole = `problem abcabc ${MARK}17.`
  for (let at = 0; at <= whole.length; at++) {
    const { taken, codes, rest } = read([whole.slice(0, at), whole.slice(at)])
    expect({ text: taken.join(''), codes, rest }).toEqual({ text: 'problem abcabc ', codes: [17], rest: '' })
  }
})

it('passes on the same letters where they are no end, at once', () => {
  const { taken, codes, rest } = read([`${MARK}x`, `${MARK}1234.`, `${MARK}.`, 'more', MARK, '1'])
  expect(taken).toEqual([`${MARK}x`, `${MARK}1234.`, `${MARK}.`, 'more', '', ''])
  expect({ codes, rest }).toEqual({ codes: [], rest: `${MARK}1` })
})

it('ends once, and passes on what others write then', () => {
  const { taken, codes } = read([`a${MARK}0.b`, `${MARK}1.`])
  expect(taken).toEqual(['ab', `${MARK}1.`])
  expect(codes).toEqual([0])
})
