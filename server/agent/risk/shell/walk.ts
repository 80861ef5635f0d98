import type { AndOr, CommandNode, CompoundList, Pipeline, PipelineNode, Redirection, Statement, Word } from 'unbash'
import { bounded, TAINT } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { runCommand } from './command.ts'
import { expandWord } from './expand.ts'
import { runNested } from './nested.ts'
import { applyRedirections, deliver } from './redirect.ts'
import { assign, setDirectories } from './scope.ts'
import { inSubshell } from './subshell.ts'

/** Looks at statements in their order. Answers all that they print. */
export function runStatements(
  analysis: ShellAnalysis,
  statements: readonly Statement[],
  stdin: string | undefined,
): string {
  let printed = ''
  for (const { command, background } of statements) {
    analysis.consumeBudget()
    const before = analysis.scope.directories
    const run = () => runNode(analysis, command, stdin)
    printed = bounded(printed + (background ? inParallelSubshell(analysis, run) : run()))
    if (analysis.scope.directories !== before)
      setDirectories(analysis.scope, [...analysis.scope.directories, ...before])
  }
  return printed
}

/** In a subshell that runs beside others: in the background, or as a part of a pipeline. */
function inParallelSubshell<T>(analysis: ShellAnalysis, work: () => T): T {
  return inSubshell(analysis, () => {
    analysis.scope.calls = analysis.scope.calls.map(name => (name.endsWith('&') ? name : `${name}&`))
    return work()
  })
}

function runNode(analysis: ShellAnalysis, node: PipelineNode | AndOr, stdin: string | undefined): string {
  if (node.type === 'AndOr') return runAndOr(analysis, node, stdin)
  if (node.type === 'Pipeline') return runPipeline(analysis, node, stdin)
  return runOne(analysis, node, stdin)
}

function runAndOr(analysis: ShellAnalysis, { commands, operators }: AndOr, stdin: string | undefined): string {
  return commands
    .map((command, index) => {
      const before = analysis.scope.directories
      if (index === 0) return runNode(analysis, command, stdin)
      const printed = conditionally(analysis, () => runNode(analysis, command, stdin))
      if (operators[index - 1] === '||') setDirectories(analysis.scope, [...analysis.scope.directories, ...before])
      return printed
    })
    .join('')
}

function runPipeline(analysis: ShellAnalysis, { commands }: Pipeline, stdin: string | undefined): string {
  if (commands.length === 1 && commands[0]) return runOne(analysis, commands[0], stdin)
  let flow = stdin
  for (const command of commands) {
    const input = flow
    flow = inParallelSubshell(analysis, () => runOne(analysis, command, input))
  }
  return flow ?? ''
}

function conditionally<T>(analysis: ShellAnalysis, work: () => T): T {
  const { scope } = analysis
  scope.conditional++
  try {
    return work()
  } finally {
    scope.conditional--
  }
}

function runOne(analysis: ShellAnalysis, node: CommandNode, stdin: string | undefined): string {
  analysis.consumeBudget()
  switch (node.type) {
    case 'Command':
      return runCommand(analysis, node, stdin)
    case 'Redirected':
      return redirected(analysis, node.redirects, stdin, input => runOne(analysis, node.command, input))
    case 'Function':
      return defineFunction(analysis, node)
    case 'Subshell':
      return inSubshell(analysis, () => runStatements(analysis, node.body.commands, stdin))
    case 'Coproc':
      return node.body.type === 'CompoundList'
        ? runList(analysis, node.body, TAINT.unknown)
        : runOne(analysis, node.body, TAINT.unknown)
    case 'BraceGroup':
      return runList(analysis, node.body, stdin)
    default:
      return runControl(analysis, node, stdin)
  }
}

type Control = Exclude<
  CommandNode,
  { type: 'Command' | 'Redirected' | 'Function' | 'Subshell' | 'Coproc' | 'BraceGroup' }
>

function runControl(analysis: ShellAnalysis, node: Control, stdin: string | undefined): string {
  const list = (body: CompoundList | undefined): string =>
    body ? conditionally(analysis, () => runList(analysis, body, stdin)) : ''
  switch (node.type) {
    case 'If':
      return [
        runList(analysis, node.clause, stdin),
        list(node.then),
        ...node.elif.flatMap(({ clause, then }) => [list(clause), list(then)]),
        list(node.else),
      ].join('')
    case 'While':
      return runList(analysis, node.clause, stdin) + repeated(list, node.body)
    case 'For':
    case 'Select':
      bindLoop(analysis, node.name, node.wordlist)
      return repeated(list, node.body)
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) runNested(analysis, part)
      return repeated(list, node.body)
    case 'Case':
      runNested(analysis, node.word)
      return node.items
        .map(({ pattern, body }) => {
          for (const word of pattern) runNested(analysis, word)
          return list(body)
        })
        .join('')
    case 'TestCommand':
      runNested(analysis, node.expression)
      return ''
    case 'ArithmeticCommand':
      return runArithmetic(analysis, node)
  }
}

/** In plain shells `((…))` is a subshell inside another. */
function runArithmetic(analysis: ShellAnalysis, node: Extract<Control, { type: 'ArithmeticCommand' }>): string {
  if (node.expression) runNested(analysis, node.expression)
  analysis.onlyHighRisk(() => inSubshell(analysis, () => analysis.runText(node.body)))
  return ''
}

/** Twice, so that what the body assigns is seen by its beginning. */
function repeated(list: (body: CompoundList) => string, body: CompoundList): string {
  return list(body) + list(body)
}

function bindLoop(analysis: ShellAnalysis, name: Word, words: readonly Word[] | undefined): void {
  const values = words ? words.flatMap(word => expandWord(analysis, word)) : analysis.scope.positional
  const { scope } = analysis
  if (scope.conditional === 0) scope.variables.delete(name.value)
  scope.conditional++
  for (const value of values) assign(scope, name.value, value)
  scope.conditional--
  if (values.length > 64) assign(scope, name.value, TAINT.unknown)
}

function runList(analysis: ShellAnalysis, { commands }: CompoundList, stdin: string | undefined): string {
  return runStatements(analysis, commands, stdin)
}

function redirected(
  analysis: ShellAnalysis,
  redirections: readonly Redirection[],
  stdin: string | undefined,
  work: (stdin: string | undefined) => string,
): string {
  const streams = applyRedirections(analysis, redirections, stdin)
  return deliver(analysis, streams, work(streams.stdin))
}

/** Its body is looked at where it is defined: a later command can call it when this one is forgotten. */
function defineFunction(analysis: ShellAnalysis, node: Extract<CommandNode, { type: 'Function' }>): string {
  analysis.scope.functions.set(node.name.value, node)
  return inSubshell(analysis, () => {
    analysis.scope.positional = [TAINT.unknown]
    runFunctionBody(analysis, node)
    return ''
  })
}

export function runFunctionBody(
  analysis: ShellAnalysis,
  node: Extract<CommandNode, { type: 'Function' }>,
  stdin?: string,
): string {
  const { scope } = analysis
  const calls = scope.calls
  scope.calls = [...calls, node.name.value]
  try {
    return node.body.type === 'CompoundList' ? runList(analysis, node.body, stdin) : runOne(analysis, node.body, stdin)
  } finally {
    scope.calls = calls
  }
}
