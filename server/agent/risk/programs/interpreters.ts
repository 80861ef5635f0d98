import { rateCode } from '../code.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { runFile } from '../shell/argv.ts'
import { contentOf } from '../shell/content.ts'
import { contains, hasTaint, originsOf, TAINT } from '../taint.ts'
import { writeTo } from './files.ts'
import { hasFlag, operands, optionValues } from './options.ts'

interface Language {
  /** Options whose value is code. */
  code: string[]
  withValue?: string[]
}

const LANGUAGES: Record<string, Language> = {
  python: { code: ['-c'], withValue: ['-W', '-X'] },
  node: {
    code: ['-e', '--eval', '-p', '--print', '-pe'],
    withValue: ['-r', '--require', '--import', '--loader', '-C'],
  },
  bun: { code: ['-e', '--eval', '-p', '--print'] },
  deno: { code: [] },
  perl: { code: ['-e', '-E'] },
  ruby: { code: ['-e'], withValue: ['-r', '-I'] },
  php: { code: ['-r', '-B', '-E', '-R'], withValue: ['-d', '-c', '-S', '-t'] },
  lua: { code: ['-e'], withValue: ['-l'] },
  julia: { code: ['-e', '-E', '--eval'] },
  Rscript: { code: ['-e'] },
  osascript: { code: ['-e'] },
  groovy: { code: ['-e'] },
  elixir: { code: ['-e'] },
  tclsh: { code: [] },
  expect: { code: ['-c'] },
  guile: { code: ['-c'] },
  emacs: { code: ['--eval', '-eval'] },
}

/** Looks at the code of a one-liner, of a here-document, or of a file that these commands wrote. */
function interpreter(language: Language): Rule {
  return ({ name, args, stdin, analysis }) => {
    const code = codeIn(language, args)
    if (code !== undefined) return runCode(analysis, code)
    const rest = name === 'deno' ? args.slice(args[0] === 'run' || args[0] === 'eval' ? 1 : 0) : args
    if (name === 'deno' && args[0] === 'eval') return runCode(analysis, operands(rest).join(' '))
    if (args.includes('-m')) return runModule(analysis, args.slice(args.indexOf('-m') + 1), stdin)
    const file = operands(rest, language.withValue)[0]
    if (file !== undefined && file !== '-') {
      const script = file.slice(file.lastIndexOf('/') + 1)
      if (/^(manage\.py|artisan)$/.test(script))
        analysis.programs.get(script)?.({ name: script, args: rest.slice(rest.indexOf(file) + 1), stdin, analysis })
      return runProgramFile(analysis, file)
    }
    if (stdin !== undefined && !hasFlag(args, 'hVv', 'help', 'version')) return runCode(analysis, stdin)
    return undefined
  }
}

function codeIn({ code }: Language, args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const option = code.find(each => arg === each || arg.startsWith(`${each}=`))
    if (option !== undefined) return arg === option ? (args[at + 1] ?? '') : arg.slice(option.length + 1)
    const letter =
      code.find(
        each => /^-[a-zA-Z]$/.test(each) && /^-[a-zA-Z0-9]+/.test(arg) && arg.slice(1).includes(each[1] ?? ''),
      ) ?? ''
    const inside = letter ? arg.indexOf(letter[1] ?? '', 1) : -1
    if (inside > 0 && arg.length < 12 && !arg.startsWith('--')) return arg.slice(inside + 1) || (args[at + 1] ?? '')
    if (letter && inside === 1) return arg.slice(2)
    if (!arg.startsWith('-')) return undefined
  }
  return undefined
}

function runCode(analysis: ShellAnalysis, code: string): string | undefined {
  if (contains(code, 'network')) analysis.report('HIGH', 'Runs text from the network')
  else if (contains(code, 'encoded')) analysis.report('HIGH', 'Runs text that is hidden by an encoding')
  else if (originsOf(code) === code.trim() && code.trim() !== '') analysis.report('HIGH', 'Runs data as a program')
  else if (hasTaint(code)) analysis.report('MEDIUM', 'Runs text that only shows when it runs')
  rateCode(analysis, code)
  return TAINT.unknown
}

function runProgramFile(analysis: ShellAnalysis, file: string): string | undefined {
  if (/^https?:|^npm:|^jsr:/.test(file)) {
    analysis.report('HIGH', 'Runs a program from the network')
    return undefined
  }
  if (hasTaint(file)) {
    analysis.report('MEDIUM', 'Runs a script whose name only shows when it runs')
    return undefined
  }
  const written = analysis.scope.written.get(analysis.classify(file).path)
  if (written === undefined) runFile(analysis, file)
  else runCode(analysis, written)
  return undefined
}

/** `python -m`: other names of programs. */
function runModule(
  analysis: ShellAnalysis,
  [module = '', ...args]: readonly string[],
  stdin: string | undefined,
): string | undefined {
  if (module === 'http.server' || module === 'SimpleHTTPServer') {
    const local = /^(127\.|localhost)/.test(optionValues(args, 'b', 'bind')[0] ?? '')
    if (!local) analysis.report('MEDIUM', 'Offers files of this folder over the network')
    return undefined
  }
  if (module === 'smtpd' || module === 'aiosmtpd') analysis.report('MEDIUM', 'Waits for connections of other machines')
  return analysis.runArgv([module, ...args], stdin)
}

const awk: Rule = ({ args, stdin, analysis }) => {
  const file = optionValues(args, 'f', 'file')[0]
  const program =
    file === undefined
      ? (operands(args, ['-F', '-v', '--assign', '--field-separator'])[0] ?? '')
      : contentOf(analysis, file)
  for (const [, command] of program.matchAll(
    /system\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"/g,
  ))
    if (command) analysis.runText(command)
  if (/system\s*\(|\|\s*getline|\|&?\s*"|\|&?\s*\w+\s*[;}]/.test(program)) {
    analysis.report('MEDIUM', 'A text filter runs other programs')
    for (const text of stringsIn(program)) analysis.runText(text)
    if (/system\s*\(\s*[^")]/.test(program)) analysis.report('HIGH', 'Runs data as commands')
  }
  for (const [, path = ''] of program.matchAll(/>>?\s*"([^"]+)"/g)) writeTo(analysis, path)
  if (/\/inet6?\//.test(program)) analysis.report('HIGH', 'Opens a network connection')
  return originsOf(stdin ?? '') || TAINT.encoded
}

function stringsIn(code: string): string[] {
  return [...code.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(match => match[1] ?? '').slice(0, 50)
}

const sed: Rule = ({ args, stdin, analysis }) => {
  const scripts = optionValues(args, 'e', 'expression')
  const words = operands(args, ['-e', '-f', '-l', '--expression', '--file'])
  const script = scripts.length > 0 ? scripts.join('\n') : (words[0] ?? '')
  const files = scripts.length > 0 || args.some(arg => /^(-f|--file)/.test(arg)) ? words : words.slice(1)
  const runs = /(^|[;\n{}]|\d|\$|\/)\s*e(\s|$)/.test(withoutSubstitutions(script)) || substitutesByCommand(script)
  if (runs && !args.includes('--sandbox')) {
    analysis.report('HIGH', 'A text editor runs other programs')
    analysis.runText(script.replace(/^.*?e\s+/s, ''))
  }
  for (const [, path = ''] of script.matchAll(/(?:^|[;\n}/\dgp])\s*[wW]\s+([^\s;]+)/g)) writeTo(analysis, path)
  if (args.some(arg => /^-[a-zA-Z]*i|^--in-place/.test(arg))) for (const file of files) writeTo(analysis, file)
  const known = stdin !== undefined && stdin.trim() !== '' && !hasTaint(stdin)
  return known ? TAINT.encoded : originsOf(stdin ?? '') || TAINT.file
}

/** `s/a/b/e` runs what it has made of a line. Any `s` may begin one. */
function substitutesByCommand(script: string): boolean {
  for (let at = script.indexOf('s'); at >= 0; at = script.indexOf('s', at + 1)) {
    const delimiter = script[at + 1] ?? ''
    if (delimiter === '' || /[\w\s\\]/.test(delimiter)) continue
    const middle = nextUnescaped(script, delimiter, at + 2)
    const end = middle < 0 ? -1 : nextUnescaped(script, delimiter, middle + 1)
    if (end >= 0 && /^[gpiImM0-9]*e/.test(script.slice(end + 1, end + 12))) return true
  }
  return false
}

/** Without the `s/…/…/` that begin where a command can. */
function withoutSubstitutions(script: string): string {
  let rest = ''
  for (let at = 0; at < script.length; at++) {
    const begins = script[at] === 's' && /(^|[;\n{}\d$!,])\s*$/.test(rest.slice(-12))
    const delimiter = script[at + 1] ?? ''
    const middle = begins && /[^\w\s\\]/.test(delimiter) ? nextUnescaped(script, delimiter, at + 2) : -1
    const end = middle < 0 ? -1 : nextUnescaped(script, delimiter, middle + 1)
    if (end < 0) rest += script[at]
    else at = end
  }
  return rest
}

function nextUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === wanted) return at
  }
  return -1
}

const editor: Rule = ({ args, analysis }) => {
  const commands = [
    ...optionValues(args, 'c', 'cmd'),
    ...args.filter(arg => arg.startsWith('+')).map(arg => arg.slice(1)),
  ]
  for (const command of commands) {
    const shell = /!(.*)/.exec(command)?.[1]
    if (shell !== undefined) analysis.runText(shell)
    else if (/system|py|lua|perl|ruby/.test(command)) analysis.report('MEDIUM', 'An editor runs code')
  }
  for (const file of operands(args, ['-c', '--cmd', '-u', '-S'])) if (!file.startsWith('+')) writeTo(analysis, file)
  return undefined
}

const debuggerRule: Rule = ({ args, analysis }: Call) => {
  for (const command of optionValues(args, '', 'eval-command', 'ex').concat(
    args.flatMap((arg, at) => (arg === '-ex' ? [args[at + 1] ?? ''] : [])),
  )) {
    const shell = /^\s*(?:shell|!|python\s+)(.*)/.exec(command)?.[1]
    if (shell !== undefined) analysis.runText(shell)
  }
  if (hasFlag(args, 'p', 'pid')) analysis.report('MEDIUM', 'Looks into another process')
  return undefined
}

const names = (language: string): [string, Rule][] => {
  const rule = interpreter(LANGUAGES[language] ?? { code: [] })
  const more: Record<string, string[]> = {
    python: [
      'python2',
      'python3',
      'pypy',
      'pypy3',
      'ipython',
      ...Array.from({ length: 10 }, (_, minor) => `python3.${minor + 6}`),
      'python2.7',
    ],
    node: ['nodejs', 'tsx', 'ts-node'],
    lua: ['luajit', 'lua5.1', 'lua5.3', 'lua5.4'],
    expect: ['wish'],
  }
  return [language, ...(more[language] ?? [])].map(name => [name, rule])
}

export const INTERPRETERS: Record<string, Rule> = {
  ...Object.fromEntries(Object.keys(LANGUAGES).flatMap(names)),
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map(name => [name, awk])),
  sed,
  gsed: sed,
  ...Object.fromEntries(['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'nano'].map(name => [name, editor])),
  gdb: debuggerRule,
  lldb: debuggerRule,
}
