import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GATEWAY_OPERATIONS } from '../../server/api/agent-server/contract.ts'
import { codeOf } from '../../server/api/contract/failures.ts'
import { route } from '../../server/api/contract/route.ts'
import { OPERATIONS } from '../../server/api/contract/routes.ts'
import { APP_CASES, GATEWAY_CASES } from '../api/cases/tables.ts'
import { rowsOf } from '../parts/operation/rows.ts'

const PORTS = [
  ['the app', OPERATIONS, APP_CASES],
  ['the gateway', GATEWAY_OPERATIONS, GATEWAY_CASES],
] as const

/** The rows are in test/api/cases and run by test/api/contract/every-route.test.ts. */
describe.each(PORTS)('on the port of %s', (_port, operations, table) => {
  test('every operation has a row for its success and for each failure that it names, and no other', () => {
    expect(rowsOf(operations, table).problems).toEqual([])
  })

  test('an operation names a failure once', () => {
    for (const [name, { failures }] of operations) {
      const codes = failures.map(codeOf)
      expect(codes, name).toEqual([...new Set(codes)])
    }
  })
})

describe('the law notices', () => {
  const one = route({
    method: 'post',
    path: '/api/one',
    summary: 'One',
    description: 'Does one thing.',
    tag: 'System',
    failures: ['conflict'],
    reply: z.null(),
  })
  const operations = new Map([['one', one]])

  test('an operation without a row, a failure without one, and one that is not named', () => {
    expect(rowsOf(operations, {}).problems).toEqual(['one has no row at all'])
    expect(rowsOf(operations, { one: { success: {} } }).problems).toEqual(['one has no row for conflict'])
    const table = { one: { success: {}, failures: { conflict: {}, gone: {} } }, two: { success: {} } }
    expect(rowsOf(operations, table).problems).toEqual([
      'two is no operation of the contract',
      'one does not name gone, which a row shows',
    ])
  })

  test('nothing where all is there', () => {
    const { rows, problems } = rowsOf(operations, { one: { success: {}, failures: { conflict: {} } } })
    expect(problems).toEqual([])
    expect(rows.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['success', 200],
      ['conflict', 409],
    ])
  })
})
