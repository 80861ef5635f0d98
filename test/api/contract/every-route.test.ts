import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GATEWAY_OPERATIONS } from '../../../server/api/agent-server/contract.ts'
import { OPERATIONS } from '../../../server/api/contract/routes.ts'
import { recheckSystem } from '../../../server/api/v1/system/system.ts'
import {
  callOperation,
  type OperationReply,
  type PreparedRequest,
  prepareOperation,
  sendOperation,
} from '../../parts/operation/call.ts'
import { Examples } from '../../parts/operation/examples.ts'
import { filled } from '../../parts/operation/fill.ts'
import { type OperationRow, rowsOf } from '../../parts/operation/rows.ts'
import { type PopulatedService, startPopulatedService } from '../../parts/populated/service.ts'
import { APP_CASES, GATEWAY_CASES } from '../cases/tables.ts'

let populated: PopulatedService

beforeAll(async () => {
  populated = await startPopulatedService()
})

afterAll(() => populated?.close(), 120_000)

const PORTS = [
  ['app', rowsOf(OPERATIONS, APP_CASES).rows],
  ['gateway', rowsOf(GATEWAY_OPERATIONS, GATEWAY_CASES).rows],
] as const

const EXAMPLES = { app: new Examples('app'), gateway: new Examples('gateway') }

const titled = (rows: readonly OperationRow[]) =>
  rows.map(row => [row.operation, row.outcome, row.status, row] as const)
const needsNoEngine = ({ outcome }: OperationRow) => outcome !== 'engine_unavailable'

describe.each(PORTS)('on the port of the %s', (port, rows) => {
  it.each(titled(rows.filter(needsNoEngine)))('%s answers %s with %i', async (_operation, _outcome, _status, row) => {
    const { remembering, values } = remember(populated)
    const reply = await callOperation(remembering, { port, route: row.route }, row.given, row.outcome === 'success')
    await expectOutcome(row, reply)
    if (row.outcome !== 'success') return
    const { given, operation } = row
    expect(await EXAMPLES[port].problemsOf(operation, { given, reply, values })).toEqual([])
  })
})

describe('without an engine', () => {
  const gone = PORTS.flatMap(([port, rows]) => rows.filter(row => !needsNoEngine(row)).map(row => ({ port, row })))
  const prepared = new Map<OperationRow, PreparedRequest>()

  beforeAll(async () => {
    for (const { port, row } of gone) {
      prepared.set(row, await prepareOperation(populated, { port, route: row.route }, row.given, false))
    }
    await populated.engine.cut()
    // That its connections broke is noticed at once, that nobody listens any more a moment later.
    const { engine } = await populated.service.client.call(recheckSystem, {})
    expect(engine.state).toBe('unavailable')
  })

  it.each(gone.map(({ port, row }) => [port, row.operation, row.status, row] as const))(
    '%s: %s answers with %i',
    async (_port, _operation, _status, row) => {
      const request = prepared.get(row)
      if (!request) throw new Error('It was not prepared.')
      await expectOutcome(row, await sendOperation(request))
    },
  )
})

/** Many things are used up by the request that they were made for: their names are asked for once. */
function remember(given: PopulatedService): { remembering: PopulatedService; values: Map<string, string> } {
  const values = new Map<string, string>()
  const resolve: PopulatedService['resolve'] = async (name, isUsedUp) => {
    const value = await given.resolve(name, isUsedUp)
    values.set(name, value)
    return value
  }
  return { remembering: { ...given, resolve }, values }
}

async function expectOutcome({ route, outcome, status, given }: OperationRow, reply: OperationReply): Promise<void> {
  expect(reply.status, JSON.stringify(reply.body)).toBe(status)
  const wanted = await filled(given.reply, populated.resolve)
  if (wanted !== undefined) {
    if (typeof wanted === 'object' && wanted !== null) expect(beginningOf(reply.body, wanted)).toMatchObject(wanted)
    else expect(reply.body).toEqual(wanted)
  }
  if (outcome !== 'success') expectRefusal(outcome, reply.body)
  else if (route.media?.reply === ANY_BYTES) expect(reply.type).not.toBe('')
  else if (route.media?.reply) expect(reply.type).toContain(route.media.reply)
  else expect(route.reply.safeParse(reply.body).error).toBeUndefined()
}

const ANY_BYTES = 'application/octet-stream'

/** Of every list no more than is wanted. */
function beginningOf(body: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted) && Array.isArray(body)) {
    return wanted.map((one, index) => beginningOf(body[index], one))
  }
  if (!isRecord(wanted) || !isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, beginningOf(value, wanted[name])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The newer generation's shape with its code, or one of the older shapes; in words that tell what to do next. */
function expectRefusal(code: string, body: unknown): void {
  if (typeof body === 'object' && body !== null && 'code' in body) expect(body.code).toBe(code)
  const words = wordsOf(body)
  expect(words, JSON.stringify(body)).toMatch(/\S/)
  if (!WORDS_OF_OTHERS.some(known => known.test(words))) expect(words).toMatch(/[.!?:;,] \S/)
}

function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (!isRecord(body)) return ''
  const { detail, error, message } = body
  return [detail, error, message].find(part => typeof part === 'string') ?? ''
}

/** What existing clients and people know by these words. */
const WORDS_OF_OTHERS: readonly RegExp[] = [
  /^Unauthorized$/,
  /^Conversation .*not found$/,
  /^Conversation ID is too long$/,
  /^Git provider token required\.$/,
  /^Invalid limit$/,
  /^Microagent file .* not found in .*$/,
  /^No providers set\.$/,
  /^Not a git repository$/,
  /^Path must be absolute$/,
  /^Profile '.*' (not found|already exists)$/,
  /^Reset settings functionality has been removed\.$/,
  /^Runtime not yet initialized$/,
  /^Secret .* already exists$/,
  /^Secret with ID .* not found$/,
  /^Settings not found$/,
  /^Unable to access repo .*$/,
  /^Unable to open binary file: .*$/,
]
