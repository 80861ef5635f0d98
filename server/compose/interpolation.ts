import { ComposeProblem } from './problem.ts'

const MAX_DEPTH = 10
const MAX_CHARACTERS = 65_536
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/

/**
 * Puts values in place of `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:?error}`, `${NAME?error}`,
 * `${NAME:+other}` and `${NAME+other}`. `$$` is a dollar. What has no value is empty, as in Compose.
 * https://docs.docker.com/reference/compose-file/interpolation/
 * @throws ComposeProblem for a value that has to be there, and for what is not of this form
 */
export function interpolate(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > MAX_DEPTH) throw new ComposeProblem('A variable of it stands in too many others.')
  let result = ''
  for (let at = 0; at < text.length; at++) {
    if (result.length > MAX_CHARACTERS) throw new ComposeProblem('A value of it is longer than 64 KiB.')
    const char = text.charAt(at)
    if (char !== '$') {
      result += char
      continue
    }
    const next = text.charAt(at + 1)
    if (next === '$') {
      result += '$'
      at++
    } else if (next === '{') {
      const end = closing(text, at + 2)
      result += expand(text.slice(at + 2, end), variables, depth)
      at = end
    } else {
      const name = NAME.exec(text.slice(at + 1, at + 257))?.[0]
      result += name === undefined ? '$' : (variables.get(name) ?? '')
      at += name?.length ?? 0
    }
  }
  return result
}

function closing(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('${', at)) open++
    else if (text.charAt(at) === '}' && --open === 0) return at
  }
  throw new ComposeProblem('A variable of it has no closing brace.')
}

function expand(inner: string, variables: ReadonlyMap<string, string>, depth: number): string {
  const name = NAME.exec(inner)?.[0]
  if (name === undefined) throw new ComposeProblem(`It has a variable without a name: \${${inner.slice(0, 40)}}.`)
  const rest = inner.slice(name.length)
  const value = variables.get(name)
  if (rest === '') return value ?? ''
  const operator = /^:?[-?+]/.exec(rest)?.[0]
  if (operator === undefined)
    throw new ComposeProblem(`It has a variable that cannot be read: \${${inner.slice(0, 40)}}.`)
  const word = () => interpolate(rest.slice(operator.length), variables, depth + 1)
  const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'))
  if (operator.endsWith('+')) return isSet ? word() : ''
  if (isSet) return value
  if (operator.endsWith('-')) return word()
  const why = word().slice(0, 200)
  throw new ComposeProblem(`It needs the variable ${name}${why ? ` (${why})` : ''}. Set it in .env beside the file.`)
}
