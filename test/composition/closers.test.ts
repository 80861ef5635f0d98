import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Closers } from '../../server/composition/closers.ts'

test('what was opened first is closed last, though others fail or never end, and the log names these', async () => {
  const lines: string[] = []
  const closers = new Closers(pino({ base: null, timestamp: false }, { write: line => lines.push(line) }), 20)
  const closed: string[] = []
  closers.add('database', () => closed.push('database'))
  closers.add('endless', () => new Promise(() => {}))
  closers.add('broken', () => {
    throw new Error('It broke.')
  })
  closers.add('late', async () => {
    await new Promise(resolve => setImmediate(resolve))
    closed.push('late')
  })
  await closers.close()
  expect(closed).toEqual(['late', 'database'])
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { name: 'broken', error: 'It broke.' },
    { name: 'endless', msg: 'Something did not close in time and was left' },
  ])
  await closers.close()
  expect(closed).toHaveLength(2)
})
