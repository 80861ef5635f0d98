import type { Assignment, Command } from 'unbash'
import { bounded } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { runProgram } from './argv.ts'
import { rateAssignment } from './environment.ts'
import { expandText, expandWord } from './expand.ts'
import { runNested } from './nested.ts'
import { applyRedirections, deliver } from './redirect.ts'
import { assign } from './scope.ts'
import { inSubshell } from './subshell.ts'

const MAX_CHOICES = 128

/** Looks at a simple command, once for every value that its variables may have. */
export function runCommand(analysis: ShellAnalysis, command: Command, stdin: string | undefined): string {
  const before = new Set(analysis.ambiguous)
  analysis.ambiguous.clear()
  const printed = runOnce(analysis, command, stdin)
  const names = [...analysis.ambiguous]
  const values = names.map(name => analysis.scope.variables.get(name) ?? [])
  const choices = values.reduce((product, each) => product * Math.max(each.length, 1), 1)
  if (choices > MAX_CHOICES) analysis.report('HIGH', 'Depends on more values of variables than can be checked')
  for (let choice = 1; choice < Math.min(choices, MAX_CHOICES); choice++) {
    runChoice(analysis, { command, stdin, names, values, choice })
  }
  analysis.ambiguous.clear()
  for (const name of before) analysis.ambiguous.add(name)
  return printed
}

function runChoice(
  analysis: ShellAnalysis,
  from: { command: Command; stdin: string | undefined; names: string[]; values: string[][]; choice: number },
): void {
  inSubshell(analysis, () => {
    let rest = from.choice
    from.names.forEach((name, index) => {
      const values = from.values[index] ?? []
      const size = Math.max(values.length, 1)
      analysis.scope.variables.set(name, [values[rest % size] ?? ''])
      rest = Math.floor(rest / size)
    })
    runOnce(analysis, from.command, from.stdin)
  })
}

function runOnce(analysis: ShellAnalysis, command: Command, stdin: string | undefined): string {
  analysis.consumeBudget()
  const assignments = command.prefix.filter(each => each.type === 'Assignment')
  const words = command.name ? expandWord(analysis, command.name) : []
  const rest = command.args.flatMap(each =>
    each.type === 'Word' ? expandWord(analysis, each) : [assignmentText(analysis, each)],
  )
  const streams = applyRedirections(analysis, command.redirects, stdin)
  const argv = [...words, ...rest]
  const values = assignments.map(each => ({ name: each.name, value: textOf(analysis, each) }))
  for (const { name, value } of values) rateAssignment(analysis, name, value)
  if (argv.length === 0) {
    for (const { name, value } of values) assign(analysis.scope, name, value)
    return deliver(analysis, streams, '')
  }
  return deliver(
    analysis,
    streams,
    withVariables(analysis, values, () => runProgram(analysis, argv, streams.stdin)),
  )
}

/** Assignments before a command are seen by what it runs, not by the shell after it. */
function withVariables(analysis: ShellAnalysis, values: { name: string; value: string }[], run: () => string): string {
  if (values.length === 0) return run()
  const before = analysis.scope.variables
  analysis.scope.variables = new Map(before)
  for (const { name, value } of values) analysis.scope.variables.set(name, [value])
  try {
    return run()
  } finally {
    analysis.scope.variables = before
  }
}

function assignmentText(analysis: ShellAnalysis, assignment: Assignment): string {
  return `${assignment.name}${assignment.append ? '+' : ''}=${textOf(analysis, assignment)}`
}

function textOf(analysis: ShellAnalysis, { name, value, append, index }: Assignment): string {
  if (index) runNested(analysis, index)
  const text =
    value.type === 'Word'
      ? expandText(analysis, value)
      : value.elements.flatMap(element => expandWord(analysis, element)).join(' ')
  return append ? bounded((analysis.scope.variables.get(name)?.[0] ?? '') + text) : text
}
