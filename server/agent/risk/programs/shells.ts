import { shellQuote } from '../../../text/shell-quote.ts'
import { clip } from '../finding.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { runFile } from '../shell/argv.ts'
import { contentOf } from '../shell/content.ts'
import { contains, hasTaint, originsOf, readable, TAINT } from '../taint.ts'
import { deleteAt } from './files.ts'
import { operands } from './options.ts'

/** Text that is run as commands. What is not known in it is data that gets to run. */
export function runAsShell(analysis: ShellAnalysis, text: string, stdin?: string): string {
  if (contains(text, 'network')) analysis.report('HIGH', 'Runs text from the network')
  else if (contains(text, 'encoded')) analysis.report('HIGH', 'Runs text that is hidden by an encoding')
  else if (contains(text, 'secret', 'token')) analysis.report('HIGH', 'Runs data as commands')
  else if (contains(text, 'file'))
    analysis.report('HIGH', 'Runs the contents of a file or the output of a command as commands')
  else if (hasTaint(text)) {
    const leading = hasTaint(text.trimStart().slice(0, 1)) || /[;&|({`]\s*[\uE000-\uE005]/.test(text)
    analysis.report(leading ? 'HIGH' : 'MEDIUM', 'Runs text that only shows when it runs')
  }
  return analysis.runText(text, stdin)
}

const VALUE_LETTERS = /^[-+][a-zA-Z]*[oO]$/

const shell: Rule = ({ args, stdin, analysis }) => {
  let at = 0
  let isCommand = false
  let reads = false
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    if (/^--(rcfile|init-file)$/.test(arg)) runFile(analysis, args[++at] ?? '')
    else if (!/^[-+]./.test(arg)) break
    else if (!arg.startsWith('--')) {
      if (arg.startsWith('-') && arg.includes('c')) isCommand = true
      if (arg.includes('s')) reads = true
      if (VALUE_LETTERS.test(arg)) at++
    }
  }
  const [first, ...rest] = args.slice(at)
  if (isCommand) return withPositional(analysis, rest, () => runAsShell(analysis, first ?? '', stdin))
  if (first !== undefined && !reads && !IS_INPUT.test(first)) return runScriptFile(analysis, first, rest)
  return stdin === undefined ? '' : runInput(analysis, stdin)
}

function runInput(analysis: ShellAnalysis, stdin: string): string {
  return originsOf(stdin) === TAINT.file ? runFileText(analysis, stdin) : runAsShell(analysis, stdin)
}

/** `sh < file` is `sh file`, but nobody sees which file it was. */
function runFileText(analysis: ShellAnalysis, stdin: string): string {
  analysis.report('MEDIUM', 'Runs the contents of a file or the output of a command as commands')
  return analysis.runText(stdin)
}

/** `$0` and what follows it. */
function withPositional(analysis: ShellAnalysis, [zero, ...args]: readonly string[], run: () => string): string {
  const { positional, variables } = analysis.scope
  analysis.scope.positional = args
  analysis.scope.variables = new Map(variables).set('0', [zero ?? 'bash'])
  try {
    return run()
  } finally {
    analysis.scope.positional = positional
    analysis.scope.variables = variables
  }
}

function runScriptFile(analysis: ShellAnalysis, path: string, args: readonly string[]): string {
  if (hasTaint(path)) {
    analysis.report(contains(path, 'unknown') ? 'MEDIUM' : 'HIGH', 'Runs a script whose name only shows when it runs')
    return TAINT.unknown
  }
  withPositional(analysis, [path, ...args], () => {
    runFile(analysis, path)
    return ''
  })
  if (contentOf(analysis, path).includes(TAINT.secret))
    analysis.report('HIGH', `Runs data as a program: ${clip(readable(path))}`)
  return TAINT.unknown
}

const source: Rule = ({ args, stdin, analysis }) => {
  const [path, ...rest] = args[0] === '--' ? args.slice(1) : args
  if (path === undefined) return ''
  return IS_INPUT.test(path) ? runInput(analysis, stdin ?? '') : runScriptFile(analysis, path, rest)
}

const IS_INPUT = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/

const evaluate: Rule = ({ args, analysis }) => runAsShell(analysis, args.join(' '))

const trap: Rule = ({ args, analysis }) => {
  const [text, ...signals] = operands(args)
  if (signals.length > 0 && text !== undefined) runAsShell(analysis, text)
  return ''
}

const alias: Rule = ({ args, analysis }) => {
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (at < 1) continue
    const text = arg.slice(at + 1)
    analysis.scope.aliases.set(arg.slice(0, at), text)
    const names = [...analysis.scope.aliases.keys()]
    if (!names.some(name => text.split(/\s/)[0] === name)) runAsShell(analysis, text)
    else analysis.runArgv(text.split(/\s+/).filter(Boolean))
  }
  return ''
}

/** `xargs`: the input is the last arguments, whatever it is. */
const xargs: Rule = ({ args, stdin, analysis }) => {
  let at = 0
  let placeholder: string | undefined
  for (; at < args.length && args[at]?.startsWith('-'); at++) {
    const arg = args[at] ?? ''
    if (/^-[IJ]$/.test(arg)) placeholder = args[++at]
    else if (/^-[IJi]./.test(arg)) placeholder = arg.slice(2)
    else if (/^-[nLPsdEa]$/.test(arg)) at++
  }
  const command = args.slice(at)
  const input = stdin === undefined ? TAINT.unknown : stdin
  if (command.length === 0) return input
  if (placeholder !== undefined) {
    const lines = hasTaint(input) || input.length > 2000 ? [input] : input.split('\n').filter(Boolean)
    const mark = placeholder
    return lines.map(line => analysis.runArgv(command.map(word => word.replaceAll(mark, line)))).join('')
  }
  if (!hasTaint(input)) analysis.onlyHighRisk(() => analysis.runArgv([...command, input.trim()]))
  const words = hasTaint(input) ? [input.trim().replace(/\s+/g, '')] : input.split(/\s+/).filter(Boolean)
  return analysis.runArgv([...command, ...words])
}

/** `parallel command ::: arguments`; without a command each argument or line is one. */
const parallel: Rule = ({ args, stdin, analysis }) => {
  const at = args.findIndex(arg => /^:::/.test(arg))
  const command = operands(at < 0 ? args : args.slice(0, at), ['-j', '-a', '--jobs', '-I', '-n', '-N'])
  const inputs = at < 0 ? (stdin ?? TAINT.unknown).split('\n').slice(0, 200) : args.slice(at + 1)
  for (const input of inputs.filter(each => each.trim() !== '')) {
    const text = command.join(' ')
    runAsShell(analysis, text.includes('{}') ? text.replaceAll('{}', input) : `${text} ${input}`)
  }
  return TAINT.unknown
}

const FIND_RUNS = /^-(exec|execdir|ok|okdir)$/
const DELETES = /^(rm|unlink|rmdir|shred)$/

const find: Rule = ({ args, analysis }) => {
  const firstTest = args.findIndex(arg => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg))
  const folders = (firstTest < 0 ? args : args.slice(0, firstTest)).filter(arg => !arg.startsWith('-'))
  const narrowed = args.some((arg, at) => /^-i?(name|path|regex|wholename)$/.test(arg) && /\w/.test(args[at + 1] ?? ''))
  for (const folder of folders.length > 0 ? folders : ['.']) {
    const found = narrowed ? `${folder}/found` : folder
    const deletes = (): void => deleteAt(analysis, found, !narrowed || analysis.classify(folder).zone !== 'workspace')
    if (args.includes('-delete')) deletes()
    for (const command of commandsOfFind(args)) {
      if (DELETES.test(command[0] ?? '')) deletes()
      analysis.runArgv(command.map(word => word.replaceAll('{}', found)))
    }
  }
  args.forEach((arg, at) => {
    if (/^-f(print0?|ls|printf)$/.test(arg)) analysis.runText(`: > ${shellQuote(args[at + 1] ?? '')}`)
  })
  return TAINT.file
}

function commandsOfFind(args: readonly string[]): string[][] {
  return args.flatMap((arg, at) => {
    if (!FIND_RUNS.test(arg)) return []
    const end = args.findIndex((each, index) => index > at && (each === ';' || each === '+'))
    return [args.slice(at + 1, end < 0 ? undefined : end)]
  })
}

const cd: Rule = ({ args, analysis }) => {
  const target = operands(args)[0] ?? '~'
  analysis.scope.directories = [target === '-' ? TAINT.unknown : analysis.classify(target).path]
  return ''
}

const assignAll: Rule = ({ name, args, analysis }) => {
  for (const arg of args) {
    const [, key, value = ''] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(arg) ?? []
    if (key !== undefined) analysis.runText(`${key}=${shellQuote(value)}`)
    if (name === 'export' && /^PROMPT_COMMAND/.test(arg))
      analysis.report('HIGH', 'Sets a command that runs before every prompt')
  }
  if (args.length === 0 || args[0] === '-p')
    analysis.report('MEDIUM', 'Shows all environment variables, which may hold secrets')
  return args.length === 0 || args[0] === '-p' ? TAINT.secret : ''
}

const set: Rule = ({ args, analysis }) => {
  const at = args.indexOf('--')
  if (at >= 0) analysis.scope.positional = args.slice(at + 1)
  else if (args.length > 0 && !/^[-+]/.test(args[0] ?? '')) analysis.scope.positional = [...args]
  return args.length === 0 ? TAINT.secret : ''
}

const read: Rule = ({ args, stdin, analysis }) => {
  const names = operands(args, ['-p', '-d', '-n', '-t', '-u', '-i', '-N', '-a'])
  const lines =
    stdin === undefined || hasTaint(stdin) || stdin.length > 4000
      ? [originsOf(stdin ?? '') || TAINT.unknown]
      : stdin.split('\n')
  for (const name of names.length > 0 ? names : ['REPLY']) {
    const values = lines.map(line => line.trim()).filter((line, index) => line !== '' || index === 0)
    analysis.scope.variables.set(name, values.slice(0, 64))
  }
  return ''
}

const hash: Rule = ({ args, analysis }) => {
  const [path, name] = args[0] === '-p' ? args.slice(1) : []
  if (path !== undefined && name !== undefined) {
    analysis.report('MEDIUM', `Lets a name run another program: ${clip(readable(name))}`)
    analysis.scope.aliases.set(name, path)
  }
  return ''
}

const loads = ({ args, analysis }: Call): string => {
  const at = args.findIndex(arg => /^-[fCx]$/.test(arg))
  if (at < 0) return ''
  analysis.report('HIGH', 'Lets the shell run other code by itself')
  analysis.runText(args[at + 1] ?? '')
  return ''
}

const readLines: Rule = call => {
  loads(call)
  return read(call)
}

export const SHELL_PROGRAMS: Record<string, Rule> = {
  ...Object.fromEntries(
    [
      'sh',
      'bash',
      'dash',
      'zsh',
      'ksh',
      'mksh',
      'ash',
      'rbash',
      'fish',
      'csh',
      'tcsh',
      'pwsh',
      'yash',
      'elvish',
      'xonsh',
      'nu',
    ].map(name => [name, shell]),
  ),
  source,
  '.': source,
  eval: evaluate,
  trap,
  alias,
  xargs,
  parallel,
  find,
  fd: ({ args, analysis }) => {
    const at = args.findIndex(arg => /^(-x|-X|--exec|--exec-batch)$/.test(arg))
    if (at >= 0) analysis.runArgv(args.slice(at + 1).map(word => word.replaceAll('{}', './found')))
    return TAINT.file
  },
  cd,
  pushd: cd,
  export: assignAll,
  declare: assignAll,
  typeset: assignAll,
  local: assignAll,
  readonly: assignAll,
  set,
  read,
  mapfile: readLines,
  readarray: readLines,
  hash,
  enable: loads,
  bind: loads,
  complete: loads,
  compgen: loads,
}
