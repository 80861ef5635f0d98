import { expect, test } from 'vitest'
import { appended, filtered, MAX_LOG_LINES, prepended } from '../../../renderer/state/log-view.ts'
import type { LogLevel, LogLine } from '../../../server/api/v1/system/log.ts'

const line = (id: string, level: LogLevel = 'info', message = id): LogLine => ({
  id,
  at: null,
  level,
  message,
  details: null,
})
const piece = (ids: string[]) => ({ lines: ids.map(id => line(id)), before: '1:0', after: '1:9', began_anew: false })

test('lines are added at both ends, and taken anew where the log began anew', () => {
  const known = { lines: [line('b')], before: '1:1', after: '1:2' }
  expect(appended(known, piece(['c']))).toMatchObject({
    lines: [{ id: 'b' }, { id: 'c' }],
    before: '1:1',
    after: '1:9',
  })
  expect(prepended(known, piece(['a']))).toMatchObject({
    lines: [{ id: 'a' }, { id: 'b' }],
    before: '1:0',
    after: '1:2',
  })
  const anew = appended(known, { ...piece(['z']), began_anew: true })
  expect(anew).toMatchObject({ lines: [{ id: 'z' }], before: '1:0' })
})

test('no more lines are kept than the bound, and those that go can be read again', () => {
  const known = {
    lines: Array.from({ length: MAX_LOG_LINES }, (_, index) => line(`1:${index}`)),
    before: null,
    after: '1:2',
  }
  const view = appended(known, piece(['1:x', '1:y']))
  expect(view.lines).toHaveLength(MAX_LOG_LINES)
  expect(view.before).toBe('1:2')
})

test('lines are found by level and by text, whatever its case', () => {
  const lines = [line('a', 'debug'), line('b', 'warn', 'The Disk is full'), line('c', 'error', 'other')]
  expect(filtered(lines, { level: 'warn', text: '' }).map(({ id }) => id)).toEqual(['b', 'c'])
  expect(filtered(lines, { level: 'trace', text: ' disk ' }).map(({ id }) => id)).toEqual(['b'])
})
