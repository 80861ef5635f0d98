import { parse } from 'yaml'
import { BOUNDS } from '../domain/bounds.ts'
import { messageOf } from '../domain/errors.ts'
import { interpolate } from './interpolation.ts'
import { ComposeProblem } from './problem.ts'

export type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree }
export type Fields = { [key: string]: Tree }

/** Deeper than any file that people write: whoever walks the values would run out of stack. */
const MAX_DEPTH = 50

/**
 * The values of a compose file, with its variables put in and its merge keys (`<<`) resolved. Aliases and merge keys can make
 * much of little, so that what comes out is counted.
 * @throws ComposeProblem
 */
export function readDocument(text: string, variables: ReadonlyMap<string, string>): Fields {
  const found = parsed(text)
  const budget = { left: BOUNDS.composeValues.limit }
  const tree = resolved(found, { variables, budget, depth: 0 })
  if (tree === null) return {}
  if (!isFields(tree)) throw new ComposeProblem('It is no compose file: it has no fields.')
  return tree
}

function parsed(text: string): unknown {
  try {
    // Merge keys are resolved here: the library does it without a bound.
    return parse(text, { merge: false, maxAliasCount: BOUNDS.composeValues.limit, logLevel: 'error' })
  } catch (error) {
    const [first = ''] = messageOf(error).split('\n')
    throw new ComposeProblem(`It cannot be read: ${first.slice(0, 200)}`)
  }
}

interface Walk {
  variables: ReadonlyMap<string, string>
  budget: { left: number }
  depth: number
}

function resolved(value: unknown, walk: Walk): Tree {
  const { variables, budget, depth } = walk
  if (--budget.left < 0) throw new ComposeProblem('It has more values than a compose file can have.')
  if (depth > MAX_DEPTH) throw new ComposeProblem('Its values stand in each other too deeply.')
  const below = { ...walk, depth: depth + 1 }
  if (typeof value === 'string') {
    const text = interpolate(value, variables)
    budget.left -= Math.ceil(text.length / 1000)
    return text
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(each => resolved(each, below))
  if (typeof value !== 'object' || value === null) return null
  const { '<<': merged, ...own } = value as Record<string, unknown>
  const fields = (from: object) =>
    Object.entries(from).map(([name, each]): [string, Tree] => [name, resolved(each, below)])
  return Object.fromEntries([...mergedFields(merged, below), ...fields(own)])
}

/** Of several, the first that has a field gives it. */
function mergedFields(merged: unknown, walk: Walk): [string, Tree][] {
  if (merged === undefined) return []
  const sources = Array.isArray(merged) ? merged.toReversed() : [merged]
  return sources.flatMap(source => {
    const tree = resolved(source, walk)
    if (!isFields(tree)) throw new ComposeProblem('One of its merge keys (<<) names no fields.')
    return Object.entries(tree)
  })
}

export function isFields(tree: Tree | undefined): tree is Fields {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree)
}
