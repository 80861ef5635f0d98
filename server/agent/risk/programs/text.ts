import type { Call, Rule } from '../shell/analysis.ts'
import { contentOf } from '../shell/content.ts'
import { assign } from '../shell/scope.ts'
import { contains, hasTaint, originsOf, TAINT } from '../taint.ts'
import { hasFlag, operands } from './options.ts'
import { wrapperRule } from './wrappers.ts'

/** Programs that print: their output can be a command's next word, or the text of a shell. */
const echo: Rule = ({ args }) => {
  const options = args.findIndex(arg => !/^-[neE]+$/.test(arg))
  const flags = options < 0 ? args : args.slice(0, options)
  const text = (options < 0 ? [] : args.slice(options)).join(' ')
  const decoded = flags.some(flag => flag.includes('e')) ? undoEscapes(text) : text
  return decoded + (flags.some(flag => flag.includes('n')) ? '' : '\n')
}

const printf: Rule = call => {
  const { args, analysis } = call
  if (args[0] === '-v' && args[1] !== undefined) {
    assign(analysis.scope, args[1], printf({ ...call, args: args.slice(2) }) ?? '')
    return ''
  }

  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args
  const print = (batch: readonly string[]): string => {
    let at = 0
    return undoEscapes(format).replace(/%([-#+ 0]*\d*(?:\.\d+)?)([a-zA-Z%])/g, (_, _flags, kind: string) => {
      if (kind === '%') return '%'
      const value = batch[at++] ?? ''
      if (kind === 'b') return undoEscapes(value)
      return kind === 'c' ? value.slice(0, 1) : value
    })
  }
  const places = (format.match(/%[^%]/g) ?? []).length
  if (places === 0 || values.length <= places) return print(values)
  const rounds = Math.min(Math.ceil(values.length / places), 200)
  return Array.from({ length: rounds }, (_, round) => print(values.slice(round * places))).join('')
}

/** `\x72`, `\162`, `\0162`, `\n` … */
function undoEscapes(text: string): string {
  return text.replace(/\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|0?[0-7]{1,3}|[nrtabfve\\])/g, (_, code: string) => {
    if (code[0] === 'x' || code[0] === 'u') return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255)
    return ESCAPES[code] ?? code
  })
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '', b: '', f: '\f', v: '\v', e: '', '\\': '\\' }

const cat: Rule = call => filesOrStdin(call)

/** Passes a part of its input on. */
const pass: Rule = call => {
  const text = filesOrStdin(call, ['-n', '-c', '-d', '-f', '-k', '-t', '-m', '-A', '-B', '-C', '-e'])
  return originsOf(text) === '' ? text : text
}

/** What an editor of streams makes of known text is not worked out, but remembered as hidden. */
const change: Rule = call => {
  const origins = originsOf(call.stdin ?? '')
  const known = call.stdin !== undefined && call.stdin.trim() !== '' && !hasTaint(call.stdin)
  return known ? TAINT.encoded : origins || TAINT.file
}

const decode: Rule = call => {
  const text = filesOrStdin(call)
  return TAINT.encoded + originsOf(text)
}

const encode: Rule = call => {
  const decodes = hasFlag(call.args, 'dDr', 'decode')
  return decodes ? decode(call) : TAINT.unknown + originsOf(filesOrStdin(call))
}

function filesOrStdin({ args, stdin, analysis }: Call, withValue: readonly string[] = []): string {
  const files = operands(args, withValue).filter(arg => arg !== '-')
  return files.length > 0 ? files.map(file => contentOf(analysis, file)).join('') : (stdin ?? '')
}

const search: Rule = call => {
  const text =
    call.stdin ??
    operands(call.args)
      .slice(1)
      .map(file => contentOf(call.analysis, file))
      .join('')
  return text === '' || !hasTaint(text) ? text || TAINT.file : originsOf(text)
}

const printenv: Rule = ({ args, analysis }) => {
  if (operands(args).length === 0) analysis.report('MEDIUM', 'Shows all environment variables, which may hold secrets')
  return TAINT.secret
}

/** Set-up text that tools print for `eval`: as trusted as the tool. */
const shellSetUp: Rule = call => {
  const { name, args } = call
  if (contains(args.join(' '), 'network', 'encoded')) return undefined
  return wrapperRule(name)?.(call) ?? `: set-up of ${name}\n`
}

export const TEXT_PROGRAMS: Record<string, Rule> = {
  echo,
  printf,
  cat,
  tac: cat,
  head: pass,
  tail: pass,
  less: cat,
  more: cat,
  nl: pass,
  cut: change,
  tr: change,
  rev: change,
  fold: change,
  iconv: change,
  base64: encode,
  base32: encode,
  basenc: encode,
  xxd: encode,
  uudecode: decode,
  gunzip: decode,
  zcat: decode,
  bunzip2: decode,
  bzcat: decode,
  unxz: decode,
  xzcat: decode,
  gzip: encode,
  zstd: encode,
  xz: encode,
  bzip2: encode,
  grep: search,
  egrep: search,
  fgrep: search,
  rg: search,
  sort: pass,
  uniq: pass,
  printenv,
  ...Object.fromEntries(
    [
      'pyenv',
      'rbenv',
      'nodenv',
      'direnv',
      'fnm',
      'opam',
      'brew',
      'ssh-agent',
      'dircolors',
      'conda',
      'starship',
      'zoxide',
      'mise',
    ].map(name => [name, shellSetUp]),
  ),
}
