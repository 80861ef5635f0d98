import type { Assignment, Command } from 'unbash'
import { bounded } from '../holes.ts'
import { runProgram } from './argv.ts'
import type { Desk } from './desk.ts'
import { rateAssignment } from './environment.ts'
import { expandText, expandWord } from './expand.ts'
import { runNested } from './nested.ts'
import { applyRedirections, deliver } from './redirect.ts'
import { assign } from './scope.ts'
import { inSubshell } from './subshell.ts'

const MAX_CHOICES = 128

/** Looks at a simple command, once for every value that its variables may have. */
export function runCommand(desk: Desk, command: Command, stdin: string | undefined): string {
  const before = new Set(desk.ambiguous)
  desk.ambiguous.clear()
  const printed = runOnce(desk, command, stdin)
  const names = [...desk.ambiguous]
  const values = names.map(name => desk.scope.variables.get(name) ?? [])
  const choices = values.reduce((product, each) => product * Math.max(each.length, 1), 1)
  if (choices > MAX_CHOICES) desk.report('HIGH', 'Depends on more values of variables than can be checked')
  for (let choice = 1; choice < Math.min(choices, MAX_CHOICES); choice++) {
    runChoice(desk, { command, stdin, names, values, choice })
  }
  desk.ambiguous.clear()
  for (const name of before) desk.ambiguous.add(name)
  return printed
}

function runChoice(
  desk: Desk,
  from: { command: Command; stdin: string | undefined; names: string[]; values: string[][]; choice: number },
): void {
  inSubshell(desk, () => {
    let rest = from.choice
    from.names.forEach((name, index) => {
      const values = from.values[index] ?? []
      const size = Math.max(values.length, 1)
      desk.scope.variables.set(name, [values[rest % size] ?? ''])
      rest = Math.floor(rest / size)
    })
    runOnce(desk, from.command, from.stdin)
  })
}

function runOnce(desk: Desk, command: Command, stdin: string | undefined): string {
  desk.spend()
  const assignments = command.prefix.filter(each => each.type === 'Assignment')
  const words = command.name ? expandWord(desk, command.name) : []
  const rest = command.args.flatMap(each =>
    each.type === 'Word' ? expandWord(desk, each) : [assignmentText(desk, each)],
  )
  const streams = applyRedirections(desk, command.redirects, stdin)
  const argv = [...words, ...rest]
  const values = assignments.map(each => ({ name: each.name, value: textOf(desk, each) }))
  for (const { name, value } of values) rateAssignment(desk, name, value)
  if (argv.length === 0) {
    for (const { name, value } of values) assign(desk.scope, name, value)
    return deliver(desk, streams, '')
  }
  return deliver(
    desk,
    streams,
    withVariables(desk, values, () => runProgram(desk, argv, streams.stdin)),
  )
}

/** Assignments before a command are seen by what it runs, not by the shell after it. */
function withVariables(desk: Desk, values: { name: string; value: string }[], run: () => string): string {
  if (values.length === 0) return run()
  const before = desk.scope.variables
  desk.scope.variables = new Map(before)
  for (const { name, value } of values) desk.scope.variables.set(name, [value])
  try {
    return run()
  } finally {
    desk.scope.variables = before
  }
}

function assignmentText(desk: Desk, assignment: Assignment): string {
  return `${assignment.name}${assignment.append ? '+' : ''}=${textOf(desk, assignment)}`
}

function textOf(desk: Desk, { name, value, append, index }: Assignment): string {
  if (index) runNested(desk, index)
  const text =
    value.type === 'Word'
      ? expandText(desk, value)
      : value.elements.flatMap(element => expandWord(desk, element)).join(' ')
  return append ? bounded((desk.scope.variables.get(name)?.[0] ?? '') + text) : text
}
