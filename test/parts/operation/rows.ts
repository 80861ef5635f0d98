import { codeOf, type ErrorCode, type Failure, IN_VAULT, statusOf } from '../../../server/api/contract/failures.ts'
import type { Route } from '../../../server/api/contract/route.ts'
import type { MODEL_FAULTS } from '../unreliable-model.ts'
import type { CaseTable, OperationCase, OperationCases } from './case.ts'

export interface OperationRow {
  operation: string
  route: Route
  outcome: 'success' | ErrorCode
  status: number
  given: OperationCase
}

export interface Rows {
  rows: OperationRow[]
  /** What the contract names and no row shows, and what a row shows and the contract does not name. */
  problems: string[]
}

/** One row for the success of every operation and for each failure that it names. */
export function rowsOf(operations: ReadonlyMap<string, Route>, table: CaseTable): Rows {
  const unknown = Object.keys(table).filter(name => !operations.has(name))
  const found = [...operations].map(([name, route]) => rowsOfOperation(name, route, table[name]))
  return {
    rows: found.flatMap(({ rows }) => rows),
    problems: [
      ...unknown.map(name => `${name} is no operation of the contract`),
      ...found.flatMap(({ problems }) => problems),
    ],
  }
}

function rowsOfOperation(operation: string, route: Route, cases: OperationCases | undefined): Rows {
  if (!cases) return { rows: [], problems: [`${operation} has no row at all`] }
  const declared = new Map(route.failures.map(failure => [codeOf(failure), failure]))
  const succeeds: OperationRow = { operation, route, outcome: 'success', status: route.status, given: cases.success }
  const rows = cases.never === undefined ? [succeeds] : []
  const problems: string[] = []
  for (const [outcome, failure] of declared) {
    const given = [cases.failures?.[outcome] ?? derivedCase(failure, cases.success, route) ?? []].flat()
    if (given.length === 0) problems.push(`${operation} has no row for ${outcome}`)
    for (const one of given) {
      const { reply: _, ...base } = cases.success
      rows.push({ operation, route, outcome, status: statusOf(failure), given: { ...base, ...one } })
    }
  }
  for (const outcome of Object.keys(cases.failures ?? {})) {
    if (!declared.has(outcome as ErrorCode)) problems.push(`${operation} does not name ${outcome}, which a row shows`)
  }
  return { rows, problems }
}

const UNKNOWN = 'f'.repeat(32)
const TOO_LONG = 'x'.repeat(101)

/** What makes operations fail in the same way wherever they can. */
function derivedCase(failure: Failure, base: OperationCase, route: Route): OperationCase | undefined {
  const code = codeOf(failure)
  const vault = IN_VAULT.find(name => name === code)
  if (vault) return { vault }
  switch (code) {
    case 'conversation_not_found':
      return about(UNKNOWN, base, route)
    case 'invalid_id':
      return about(TOO_LONG, base, route)
    case 'conversation_elsewhere':
      return about('$reported', base, route)
    case 'sandbox_not_running':
      return about('$stopped', base, route) ?? { key: 'broken' }
    case 'sandbox_not_found':
      return 'sandbox_id' in route.params.shape
        ? { params: { ...base.params, sandbox_id: 'unknown' } }
        : about('$orphan', base, route)
    case 'engine_unavailable':
      return {}
    default:
      return asksModel(route) ? ofModel(code, base, route) : undefined
  }
}

/** The same about another conversation. */
function about(id: string, base: OperationCase, route: Route): OperationCase | undefined {
  if ('conversation_id' in route.params.shape) return { params: { ...base.params, conversation_id: id } }
  if ('conversation_id__eq' in route.query.shape) return { query: { ...base.query, conversation_id__eq: id } }
  return undefined
}

function asksModel(route: Route): boolean {
  return route.failures.includes('llm_failed')
}

const MOODS: Partial<Record<ErrorCode, keyof typeof MODEL_FAULTS>> = {
  llm_authentication: 'refuses the key',
  llm_unknown_model: 'knows no such model',
  llm_no_credit: 'has no credit left',
  llm_rate_limited: 'is asked too often',
  llm_context_exceeded: 'reads no more',
  llm_history_refused: 'refuses the history',
  llm_content_policy: 'withholds its answer',
  llm_bad_request: 'refuses the request',
  llm_failed: 'is broken',
}

function ofModel(code: ErrorCode, base: OperationCase, route: Route): OperationCase | undefined {
  if (code === 'model_not_set') return { ...about('$modelless', base, route), settings: { llm_model: null } }
  if (code === 'llm_unreachable') return { settings: { llm_base_url: '$untrusted' } }
  const model = MOODS[code]
  return model && { model }
}
