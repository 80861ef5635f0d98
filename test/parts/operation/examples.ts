import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../../server/api/contract/openapi.ts'
import { projectFolder } from '../project-folder.ts'
import { plain } from '../value/plain-values.ts'
import type { OperationReply } from './call.ts'
import type { OperationCase } from './case.ts'
import { filled } from './fill.ts'

type Port = 'app' | 'gateway'

/** `ATELIER_RECORD_EXAMPLES=1` writes what comes into the examples instead of comparing it with them. */
const RECORDS = process.env.ATELIER_RECORD_EXAMPLES === '1'

/** The examples of the API's documents: the requests that every route is tried with, and what came. */
export class Examples {
  readonly #port: Port
  readonly #examples: Record<string, Example>

  constructor(port: Port) {
    this.#port = port
    this.#examples = readExamples(port)
  }

  /** What is wrong with the example of an operation that has just succeeded; `values` are those of the request's names. */
  async problemsOf(
    operation: string,
    { given, reply, values }: { given: OperationCase; reply: OperationReply; values: ReadonlyMap<string, string> },
  ): Promise<string[]> {
    const came = await exampleOf(given, reply, values, this.#port)
    if (RECORDS) {
      this.#examples[operation] = came
      const sorted = Object.fromEntries(Object.entries(this.#examples).sort(([a], [b]) => (a < b ? -1 : 1)))
      writeFileSync(fileOf(this.#port), `${JSON.stringify(sorted, null, 1)}\n`)
      return []
    }
    const example = this.#examples[operation]
    return example ? differences(example, came, operation) : [`${operation} has no example`]
  }
}

export function readExamples(port: Port): Record<string, Example> {
  return JSON.parse(readFileSync(fileOf(port), 'utf8'))
}

function fileOf(port: Port): string {
  return join(projectFolder, 'build/resources/docs/data', `${port}-examples.json`)
}

async function exampleOf(
  { params, query, body, raw }: OperationCase,
  reply: OperationReply,
  values: ReadonlyMap<string, string>,
  port: Port,
): Promise<Example> {
  const asked = { params, query, body: raw === undefined ? body : JSON.parse(raw) }
  const request = await filled(asked, async name => values.get(name) ?? '')
  const isShown = reply.type.includes('json') || reply.type.startsWith('text/plain')
  const { reply: answer, ...sent } = plain({ ...request, ...(isShown && { reply: reply.body }) }) as Example
  // The gateway's ids are UUIDs with hyphens, though it takes them without.
  return { ...(port === 'gateway' ? hyphenated(sent) : sent), ...(answer !== undefined && { reply: answer }) }
}

function hyphenated(sent: Example): Example {
  const withHyphens = JSON.stringify(sent).replaceAll(
    /"([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})"/g,
    '"$1-$2-$3-$4-$5"',
  )
  return JSON.parse(withHyphens)
}

/** Where the two differ in their fields or in the types of these. What may be null, and lists, say nothing when they are. */
function differences(example: unknown, came: unknown, place: string): string[] {
  if (example === null || came === null) return []
  if (Array.isArray(example) && Array.isArray(came)) {
    return example.length === 0 || came.length === 0 ? [] : differences(example[0], came[0], `${place}[0]`)
  }
  if (isRecord(example) && isRecord(came)) {
    if (example.kind !== came.kind || example.action !== came.action || example.state !== came.state) return []
    return [...new Set([...Object.keys(example), ...Object.keys(came)])].flatMap(name => {
      if (!(name in example)) return [`${place} lacks ${name}`]
      if (!(name in came)) return [`${place} has ${name}, which did not come`]
      return differences(example[name], came[name], `${place}.${name}`)
    })
  }
  return typeof example === typeof came ? [] : [`${place} is a ${typeof example}, and a ${typeof came} came`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
