import { clip } from '../finding.ts'
import { contains, HOLE, hasHole, originsOf, readable } from '../holes.ts'
import { quoted, runFile } from '../shell/argv.ts'
import { contentOf } from '../shell/content.ts'
import type { Call, Desk, Rule } from '../shell/desk.ts'
import { deleteAt } from './files.ts'
import { operands } from './options.ts'

/** Text that is run as commands. What is not known in it is data that gets to run. */
export function runAsShell(desk: Desk, text: string, stdin?: string): string {
  if (contains(text, 'network')) desk.report('HIGH', 'Runs text from the network')
  else if (contains(text, 'coded')) desk.report('HIGH', 'Runs text that is hidden by an encoding')
  else if (contains(text, 'secret', 'token')) desk.report('HIGH', 'Runs data as commands')
  else if (contains(text, 'file'))
    desk.report('HIGH', 'Runs the contents of a file or the output of a command as commands')
  else if (hasHole(text)) {
    const leading = hasHole(text.trimStart().slice(0, 1)) || /[;&|({`]\s*[\uE000-\uE005]/.test(text)
    desk.report(leading ? 'HIGH' : 'MEDIUM', 'Runs text that only shows when it runs')
  }
  return desk.runText(text, stdin)
}

const VALUE_LETTERS = /^[-+][a-zA-Z]*[oO]$/

const shell: Rule = ({ args, stdin, desk }) => {
  let at = 0
  let isCommand = false
  let reads = false
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    if (/^--(rcfile|init-file)$/.test(arg)) runFile(desk, args[++at] ?? '')
    else if (!/^[-+]./.test(arg)) break
    else if (!arg.startsWith('--')) {
      if (arg.startsWith('-') && arg.includes('c')) isCommand = true
      if (arg.includes('s')) reads = true
      if (VALUE_LETTERS.test(arg)) at++
    }
  }
  const [first, ...rest] = args.slice(at)
  if (isCommand) return withPositional(desk, rest, () => runAsShell(desk, first ?? '', stdin))
  if (first !== undefined && !reads && !IS_INPUT.test(first)) return runScriptFile(desk, first, rest)
  return stdin === undefined ? '' : runInput(desk, stdin)
}

function runInput(desk: Desk, stdin: string): string {
  return originsOf(stdin) === HOLE.file ? runFileText(desk, stdin) : runAsShell(desk, stdin)
}

/** `sh < file` is `sh file`, but nobody sees which file it was. */
function runFileText(desk: Desk, stdin: string): string {
  desk.report('MEDIUM', 'Runs the contents of a file or the output of a command as commands')
  return desk.runText(stdin)
}

/** `$0` and what follows it. */
function withPositional(desk: Desk, [zero, ...args]: readonly string[], run: () => string): string {
  const { positional, variables } = desk.scope
  desk.scope.positional = args
  desk.scope.variables = new Map(variables).set('0', [zero ?? 'bash'])
  try {
    return run()
  } finally {
    desk.scope.positional = positional
    desk.scope.variables = variables
  }
}

function runScriptFile(desk: Desk, path: string, args: readonly string[]): string {
  if (hasHole(path)) {
    desk.report(contains(path, 'unknown') ? 'MEDIUM' : 'HIGH', 'Runs a script whose name only shows when it runs')
    return HOLE.unknown
  }
  withPositional(desk, [path, ...args], () => {
    runFile(desk, path)
    return ''
  })
  if (contentOf(desk, path).includes(HOLE.secret))
    desk.report('HIGH', `Runs data as a program: ${clip(readable(path))}`)
  return HOLE.unknown
}

const source: Rule = ({ args, stdin, desk }) => {
  const [path, ...rest] = args[0] === '--' ? args.slice(1) : args
  if (path === undefined) return ''
  return IS_INPUT.test(path) ? runInput(desk, stdin ?? '') : runScriptFile(desk, path, rest)
}

const IS_INPUT = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/

const evaluate: Rule = ({ args, desk }) => runAsShell(desk, args.join(' '))

const trap: Rule = ({ args, desk }) => {
  const [text, ...signals] = operands(args)
  if (signals.length > 0 && text !== undefined) runAsShell(desk, text)
  return ''
}

const alias: Rule = ({ args, desk }) => {
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (at < 1) continue
    const text = arg.slice(at + 1)
    desk.scope.aliases.set(arg.slice(0, at), text)
    const names = [...desk.scope.aliases.keys()]
    if (!names.some(name => text.split(/\s/)[0] === name)) runAsShell(desk, text)
    else desk.runArgv(text.split(/\s+/).filter(Boolean))
  }
  return ''
}

/** `xargs`: the input is the last arguments, whatever it is. */
const xargs: Rule = ({ args, stdin, desk }) => {
  let at = 0
  let placeholder: string | undefined
  for (; at < args.length && args[at]?.startsWith('-'); at++) {
    const arg = args[at] ?? ''
    if (/^-[IJ]$/.test(arg)) placeholder = args[++at]
    else if (/^-[IJi]./.test(arg)) placeholder = arg.slice(2)
    else if (/^-[nLPsdEa]$/.test(arg)) at++
  }
  const command = args.slice(at)
  const input = stdin === undefined ? HOLE.unknown : stdin
  if (command.length === 0) return input
  if (placeholder !== undefined) {
    const lines = hasHole(input) || input.length > 2000 ? [input] : input.split('\n').filter(Boolean)
    const mark = placeholder
    return lines.map(line => desk.runArgv(command.map(word => word.replaceAll(mark, line)))).join('')
  }
  if (!hasHole(input)) desk.onlyDangers(() => desk.runArgv([...command, input.trim()]))
  const words = hasHole(input) ? [input.trim().replace(/\s+/g, '')] : input.split(/\s+/).filter(Boolean)
  return desk.runArgv([...command, ...words])
}

/** `parallel command ::: arguments`; without a command each argument or line is one. */
const parallel: Rule = ({ args, stdin, desk }) => {
  const at = args.findIndex(arg => /^:::/.test(arg))
  const command = operands(at < 0 ? args : args.slice(0, at), ['-j', '-a', '--jobs', '-I', '-n', '-N'])
  const inputs = at < 0 ? (stdin ?? HOLE.unknown).split('\n').slice(0, 200) : args.slice(at + 1)
  for (const input of inputs.filter(each => each.trim() !== '')) {
    const text = command.join(' ')
    runAsShell(desk, text.includes('{}') ? text.replaceAll('{}', input) : `${text} ${input}`)
  }
  return HOLE.unknown
}

const FIND_RUNS = /^-(exec|execdir|ok|okdir)$/
const DELETES = /^(rm|unlink|rmdir|shred)$/

const find: Rule = ({ args, desk }) => {
  const firstTest = args.findIndex(arg => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg))
  const folders = (firstTest < 0 ? args : args.slice(0, firstTest)).filter(arg => !arg.startsWith('-'))
  const narrowed = args.some((arg, at) => /^-i?(name|path|regex|wholename)$/.test(arg) && /\w/.test(args[at + 1] ?? ''))
  for (const folder of folders.length > 0 ? folders : ['.']) {
    const found = narrowed ? `${folder}/found` : folder
    const deletes = (): void => deleteAt(desk, found, !narrowed || desk.place(folder).zone !== 'workspace')
    if (args.includes('-delete')) deletes()
    for (const command of commandsOfFind(args)) {
      if (DELETES.test(command[0] ?? '')) deletes()
      desk.runArgv(command.map(word => word.replaceAll('{}', found)))
    }
  }
  args.forEach((arg, at) => {
    if (/^-f(print0?|ls|printf)$/.test(arg)) desk.runText(`: > ${quoted(args[at + 1] ?? '')}`)
  })
  return HOLE.file
}

function commandsOfFind(args: readonly string[]): string[][] {
  return args.flatMap((arg, at) => {
    if (!FIND_RUNS.test(arg)) return []
    const end = args.findIndex((each, index) => index > at && (each === ';' || each === '+'))
    return [args.slice(at + 1, end < 0 ? undefined : end)]
  })
}

const cd: Rule = ({ args, desk }) => {
  const target = operands(args)[0] ?? '~'
  desk.scope.directories = [target === '-' ? HOLE.unknown : desk.place(target).path]
  return ''
}

const assignAll: Rule = ({ name, args, desk }) => {
  for (const arg of args) {
    const [, key, value = ''] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(arg) ?? []
    if (key !== undefined) desk.runText(`${key}=${quoted(value)}`)
    if (name === 'export' && /^PROMPT_COMMAND/.test(arg))
      desk.report('HIGH', 'Sets a command that runs before every prompt')
  }
  if (args.length === 0 || args[0] === '-p')
    desk.report('MEDIUM', 'Shows all environment variables, which may hold secrets')
  return args.length === 0 || args[0] === '-p' ? HOLE.secret : ''
}

const set: Rule = ({ args, desk }) => {
  const at = args.indexOf('--')
  if (at >= 0) desk.scope.positional = args.slice(at + 1)
  else if (args.length > 0 && !/^[-+]/.test(args[0] ?? '')) desk.scope.positional = [...args]
  return args.length === 0 ? HOLE.secret : ''
}

const read: Rule = ({ args, stdin, desk }) => {
  const names = operands(args, ['-p', '-d', '-n', '-t', '-u', '-i', '-N', '-a'])
  const lines =
    stdin === undefined || hasHole(stdin) || stdin.length > 4000
      ? [originsOf(stdin ?? '') || HOLE.unknown]
      : stdin.split('\n')
  for (const name of names.length > 0 ? names : ['REPLY']) {
    const values = lines.map(line => line.trim()).filter((line, index) => line !== '' || index === 0)
    desk.scope.variables.set(name, values.slice(0, 64))
  }
  return ''
}

const hash: Rule = ({ args, desk }) => {
  const [path, name] = args[0] === '-p' ? args.slice(1) : []
  if (path !== undefined && name !== undefined) {
    desk.report('MEDIUM', `Lets a name run another program: ${clip(readable(name))}`)
    desk.scope.aliases.set(name, path)
  }
  return ''
}

const loads = ({ args, desk }: Call): string => {
  const at = args.findIndex(arg => /^-[fCx]$/.test(arg))
  if (at < 0) return ''
  desk.report('HIGH', 'Lets the shell run other code by itself')
  desk.runText(args[at + 1] ?? '')
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
  fd: ({ args, desk }) => {
    const at = args.findIndex(arg => /^(-x|-X|--exec|--exec-batch)$/.test(arg))
    if (at >= 0) desk.runArgv(args.slice(at + 1).map(word => word.replaceAll('{}', './found')))
    return HOLE.file
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
