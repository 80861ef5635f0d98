import { shellQuote } from '../../../text/shell-quote.ts'
import { clip } from '../finding.ts'
import { matchesGlob } from '../glob-match.ts'
import { findingOfRead } from '../paths.ts'
import { isKnownProgram, takesNoFiles } from '../programs/known.ts'
import { contains, hasTaint, originsOf, readable, TAINT, withoutTaint } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { runNames } from './names.ts'

/** Looks at one command whose words are expanded: what its name means here, then what its program does. */
export function runProgram(analysis: ShellAnalysis, argv: readonly string[], stdin: string | undefined): string {
  analysis.consumeBudget(1 + argv.length)
  const [word = '', ...args] = argv
  if (hasTaint(word)) return runUnknownName(analysis, argv, stdin)
  const alias = analysis.scope.aliases.get(word)
  if (alias !== undefined && !analysis.scope.calls.includes(`alias ${word}`))
    return runAlias(analysis, { word, alias, args, stdin })
  const own = analysis.scope.functions.get(word)
  if (own) return callFunction(analysis, { word, args, stdin, own })
  for (const name of runNames(analysis, word)) return runNamed(analysis, { word, name, args, stdin })
  return ''
}

interface Named {
  word: string
  name: string
  args: readonly string[]
  stdin: string | undefined
}

function runNamed(analysis: ShellAnalysis, { word, name, args, stdin }: Named): string {
  rateFiles(analysis, name, args)
  if (/[*?]|\[[^\]]+\]/.test(name)) return runPattern(analysis, { word, name, args, stdin })
  const rule = analysis.programs.get(name)
  const printed = rule?.({ name, args, stdin, analysis })
  if (!rule && word.includes('/')) runFile(analysis, word)
  else if (!rule && !isKnownProgram(name))
    analysis.report('MEDIUM', `Runs a program that the rules do not know: ${clip(readable(name))}`)
  return printed ?? TAINT.unknown + originsOf(stdin ?? '')
}

/** A program by its path. Its text is looked at when these commands wrote it. */
export function runFile(analysis: ShellAnalysis, path: string): void {
  const place = analysis.classify(path)
  const written = analysis.scope.written.get(place.path)
  if (written !== undefined) {
    if (contains(written, 'network')) analysis.report('HIGH', `Runs what was downloaded: ${readable(place.path)}`)
    else if (contains(written, 'encoded', 'unknown', 'secret'))
      analysis.report('HIGH', `Runs data as a program: ${readable(place.path)}`)
    analysis.runText(withoutTaint(written))
  } else if (place.zone !== 'workspace' && !/^\/(usr\/(local\/)?)?s?bin\//.test(place.path)) {
    analysis.report('MEDIUM', `Runs a program outside the working directory: ${readable(place.path)}`)
  }
}

function runUnknownName(analysis: ShellAnalysis, argv: readonly string[], stdin: string | undefined): string {
  const [word = '', ...args] = argv
  if (contains(word, 'network')) analysis.report('HIGH', 'Runs text from the network')
  else if (contains(word, 'encoded')) analysis.report('HIGH', 'Runs a command that is hidden by an encoding')
  else analysis.report('MEDIUM', 'Runs a program whose name only shows when it runs')
  const bare = withoutTaint(word)
  if (bare !== '') return runProgram(analysis, [bare, ...args], stdin)
  // An unset variable leaves nothing, and the next word is the command.
  return args.length > 0 ? runProgram(analysis, args, stdin) : TAINT.unknown
}

/** A name such as `/bin/r?`: rated as each program of the rules that it may stand for. */
function runPattern(analysis: ShellAnalysis, { name, args, stdin }: Named): string {
  analysis.report('MEDIUM', `Runs a program whose name only shows when it runs: ${clip(name)}`)
  for (const [each, rule] of analysis.programs) if (matchesGlob(name, each)) rule({ name: each, args, stdin, analysis })
  return TAINT.unknown
}

function runAlias(
  analysis: ShellAnalysis,
  { word, alias, args, stdin }: { word: string; alias: string; args: readonly string[]; stdin: string | undefined },
): string {
  const { scope } = analysis
  const calls = scope.calls
  scope.calls = [...calls, `alias ${word}`]
  try {
    return analysis.runText([alias, ...args.map(shellQuote)].join(' '), stdin)
  } finally {
    scope.calls = calls
  }
}

function callFunction(
  analysis: ShellAnalysis,
  { word, args, stdin, own }: Omit<Named, 'name'> & { own: Parameters<ShellAnalysis['runFunction']>[0] },
): string {
  const { calls } = analysis.scope
  if (calls.includes(`${word}&`)) {
    analysis.report('HIGH', `Starts itself again and again: ${clip(word)}`)
    return ''
  }
  if (calls.includes(word)) {
    analysis.report('MEDIUM', `A function calls itself: ${clip(word)}`)
    return ''
  }
  return analysis.runFunction(own, args, stdin)
}

/** Whatever the program, naming a file of secrets is worth a word. */
function rateFiles(analysis: ShellAnalysis, name: string, args: readonly string[]): void {
  if (takesNoFiles(name)) return
  const read = /^(cp|mv|install|ln)$/.test(name) ? args.slice(0, -1) : args
  for (const arg of read) {
    const path = arg.replace(/^(-[A-Za-z](?=[/~.])|--?[\w-]+=@?|[\w-]+=@?|@)/, '')
    if (path.startsWith('-') || path === '' || /\s|:\/\//.test(path)) continue
    const finding = findingOfRead(analysis.classify(path))
    if (finding) analysis.report(finding.risk, finding.reason)
  }
}
