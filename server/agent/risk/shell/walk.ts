import type { AndOr, CommandNode, CompoundList, Pipeline, PipelineNode, Redirection, Statement, Word } from 'unbash'
import { bounded, HOLE } from '../holes.ts'
import { runCommand } from './command.ts'
import type { Desk } from './desk.ts'
import { expandWord } from './expand.ts'
import { runNested } from './nested.ts'
import { applyRedirections, deliver } from './redirect.ts'
import { assign, stand } from './scope.ts'
import { inSubshell } from './subshell.ts'

/** Looks at statements in their order. Answers all that they print. */
export function runStatements(desk: Desk, statements: readonly Statement[], stdin: string | undefined): string {
  let printed = ''
  for (const { command, background } of statements) {
    desk.spend()
    const before = desk.scope.directories
    const run = () => runNode(desk, command, stdin)
    printed = bounded(printed + (background ? alongside(desk, run) : run()))
    if (desk.scope.directories !== before) stand(desk.scope, [...desk.scope.directories, ...before])
  }
  return printed
}

/** In a subshell that runs beside others: in the background, or as a part of a pipeline. */
function alongside<T>(desk: Desk, work: () => T): T {
  return inSubshell(desk, () => {
    desk.scope.calls = desk.scope.calls.map(name => (name.endsWith('&') ? name : `${name}&`))
    return work()
  })
}

function runNode(desk: Desk, node: PipelineNode | AndOr, stdin: string | undefined): string {
  if (node.type === 'AndOr') return runAndOr(desk, node, stdin)
  if (node.type === 'Pipeline') return runPipeline(desk, node, stdin)
  return runOne(desk, node, stdin)
}

function runAndOr(desk: Desk, { commands, operators }: AndOr, stdin: string | undefined): string {
  return commands
    .map((command, index) => {
      const before = desk.scope.directories
      if (index === 0) return runNode(desk, command, stdin)
      const printed = perhaps(desk, () => runNode(desk, command, stdin))
      if (operators[index - 1] === '||') stand(desk.scope, [...desk.scope.directories, ...before])
      return printed
    })
    .join('')
}

function runPipeline(desk: Desk, { commands }: Pipeline, stdin: string | undefined): string {
  if (commands.length === 1 && commands[0]) return runOne(desk, commands[0], stdin)
  let flow = stdin
  for (const command of commands) {
    const input = flow
    flow = alongside(desk, () => runOne(desk, command, input))
  }
  return flow ?? ''
}

function perhaps<T>(desk: Desk, work: () => T): T {
  const { scope } = desk
  scope.conditional++
  try {
    return work()
  } finally {
    scope.conditional--
  }
}

function runOne(desk: Desk, node: CommandNode, stdin: string | undefined): string {
  desk.spend()
  switch (node.type) {
    case 'Command':
      return runCommand(desk, node, stdin)
    case 'Redirected':
      return redirected(desk, node.redirects, stdin, input => runOne(desk, node.command, input))
    case 'Function':
      return defineFunction(desk, node)
    case 'Subshell':
      return inSubshell(desk, () => runStatements(desk, node.body.commands, stdin))
    case 'Coproc':
      return node.body.type === 'CompoundList'
        ? runList(desk, node.body, HOLE.unknown)
        : runOne(desk, node.body, HOLE.unknown)
    case 'BraceGroup':
      return runList(desk, node.body, stdin)
    default:
      return runControl(desk, node, stdin)
  }
}

type Control = Exclude<
  CommandNode,
  { type: 'Command' | 'Redirected' | 'Function' | 'Subshell' | 'Coproc' | 'BraceGroup' }
>

function runControl(desk: Desk, node: Control, stdin: string | undefined): string {
  const list = (body: CompoundList | undefined): string => (body ? perhaps(desk, () => runList(desk, body, stdin)) : '')
  switch (node.type) {
    case 'If':
      return [
        runList(desk, node.clause, stdin),
        list(node.then),
        ...node.elif.flatMap(({ clause, then }) => [list(clause), list(then)]),
        list(node.else),
      ].join('')
    case 'While':
      return runList(desk, node.clause, stdin) + repeated(list, node.body)
    case 'For':
    case 'Select':
      bindLoop(desk, node.name, node.wordlist)
      return repeated(list, node.body)
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) runNested(desk, part)
      return repeated(list, node.body)
    case 'Case':
      runNested(desk, node.word)
      return node.items
        .map(({ pattern, body }) => {
          for (const word of pattern) runNested(desk, word)
          return list(body)
        })
        .join('')
    case 'TestCommand':
      runNested(desk, node.expression)
      return ''
    case 'ArithmeticCommand':
      return runArithmetic(desk, node)
  }
}

/** In plain shells `((…))` is a subshell inside another. */
function runArithmetic(desk: Desk, node: Extract<Control, { type: 'ArithmeticCommand' }>): string {
  if (node.expression) runNested(desk, node.expression)
  desk.onlyDangers(() => inSubshell(desk, () => desk.runText(node.body)))
  return ''
}

/** Twice, so that what the body assigns is seen by its beginning. */
function repeated(list: (body: CompoundList) => string, body: CompoundList): string {
  return list(body) + list(body)
}

function bindLoop(desk: Desk, name: Word, words: readonly Word[] | undefined): void {
  const values = words ? words.flatMap(word => expandWord(desk, word)) : desk.scope.positional
  const { scope } = desk
  if (scope.conditional === 0) scope.variables.delete(name.value)
  scope.conditional++
  for (const value of values) assign(scope, name.value, value)
  scope.conditional--
  if (values.length > 64) assign(scope, name.value, HOLE.unknown)
}

function runList(desk: Desk, { commands }: CompoundList, stdin: string | undefined): string {
  return runStatements(desk, commands, stdin)
}

function redirected(
  desk: Desk,
  redirections: readonly Redirection[],
  stdin: string | undefined,
  work: (stdin: string | undefined) => string,
): string {
  const streams = applyRedirections(desk, redirections, stdin)
  return deliver(desk, streams, work(streams.stdin))
}

/** Its body is looked at where it is defined: a later command can call it when this one is forgotten. */
function defineFunction(desk: Desk, node: Extract<CommandNode, { type: 'Function' }>): string {
  desk.scope.functions.set(node.name.value, node)
  return inSubshell(desk, () => {
    desk.scope.positional = [HOLE.unknown]
    runFunctionBody(desk, node)
    return ''
  })
}

export function runFunctionBody(desk: Desk, node: Extract<CommandNode, { type: 'Function' }>, stdin?: string): string {
  const { scope } = desk
  const calls = scope.calls
  scope.calls = [...calls, node.name.value]
  try {
    return node.body.type === 'CompoundList' ? runList(desk, node.body, stdin) : runOne(desk, node.body, stdin)
  } finally {
    scope.calls = calls
  }
}
