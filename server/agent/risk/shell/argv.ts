import { clip } from '../finding.ts'
import { matchesGlob } from '../glob-match.ts'
import { contains, HOLE, hasHole, originsOf, readable, withoutHoles } from '../holes.ts'
import { findingOfRead } from '../paths.ts'
import { isKnownProgram, takesNoFiles } from '../programs/known.ts'
import { contentOf } from './content.ts'
import type { Desk } from './desk.ts'
import { runNames } from './names.ts'

/** Looks at one command whose words are expanded: what its name means here, then what its program does. */
export function runProgram(desk: Desk, argv: readonly string[], stdin: string | undefined): string {
  desk.spend(1 + argv.length)
  const [word = '', ...args] = argv
  if (hasHole(word)) return runHidden(desk, argv, stdin)
  const alias = desk.scope.aliases.get(word)
  if (alias !== undefined && !desk.scope.calls.includes(`alias ${word}`))
    return runAlias(desk, { word, alias, args, stdin })
  const own = desk.scope.functions.get(word)
  if (own) return callFunction(desk, { word, args, stdin, own })
  for (const name of runNames(desk, word)) return runNamed(desk, { word, name, args, stdin })
  return ''
}

interface Named {
  word: string
  name: string
  args: readonly string[]
  stdin: string | undefined
}

function runNamed(desk: Desk, { word, name, args, stdin }: Named): string {
  rateFiles(desk, name, args)
  if (/[*?]|\[[^\]]+\]/.test(name)) return runPattern(desk, { word, name, args, stdin })
  const rule = desk.programs.get(name)
  const printed = rule?.({ name, args, stdin, desk })
  if (!rule && word.includes('/')) runFile(desk, word)
  else if (!rule && !isKnownProgram(name))
    desk.report('MEDIUM', `Runs a program that the rules do not know: ${clip(readable(name))}`)
  return printed ?? HOLE.unknown + originsOf(stdin ?? '')
}

/** A program by its path. Its text is looked at when these commands wrote it. */
export function runFile(desk: Desk, path: string): void {
  const place = desk.place(path)
  const written = desk.scope.written.get(place.path)
  if (written !== undefined) {
    if (contains(written, 'network')) desk.report('HIGH', `Runs what was downloaded: ${readable(place.path)}`)
    else if (contains(written, 'coded', 'unknown', 'secret'))
      desk.report('HIGH', `Runs data as a program: ${readable(place.path)}`)
    desk.runText(withoutHoles(written))
  } else if (place.zone !== 'workspace' && !/^\/(usr\/(local\/)?)?s?bin\//.test(place.path)) {
    desk.report('MEDIUM', `Runs a program outside the working directory: ${readable(place.path)}`)
  }
}

function runHidden(desk: Desk, argv: readonly string[], stdin: string | undefined): string {
  const [word = '', ...args] = argv
  if (contains(word, 'network')) desk.report('HIGH', 'Runs text from the network')
  else if (contains(word, 'coded')) desk.report('HIGH', 'Runs a command that is hidden by an encoding')
  else desk.report('MEDIUM', 'Runs a program whose name only shows when it runs')
  const bare = withoutHoles(word)
  if (bare !== '') return runProgram(desk, [bare, ...args], stdin)
  // An unset variable leaves nothing, and the next word is the command.
  return args.length > 0 ? runProgram(desk, args, stdin) : HOLE.unknown
}

/** A name such as `/bin/r?`: rated as each program of the rules that it may stand for. */
function runPattern(desk: Desk, { name, args, stdin }: Named): string {
  desk.report('MEDIUM', `Runs a program whose name only shows when it runs: ${clip(name)}`)
  for (const [each, rule] of desk.programs) if (matchesGlob(name, each)) rule({ name: each, args, stdin, desk })
  return HOLE.unknown
}

function runAlias(
  desk: Desk,
  { word, alias, args, stdin }: { word: string; alias: string; args: readonly string[]; stdin: string | undefined },
): string {
  const { scope } = desk
  const calls = scope.calls
  scope.calls = [...calls, `alias ${word}`]
  try {
    return desk.runText([alias, ...args.map(quoted)].join(' '), stdin)
  } finally {
    scope.calls = calls
  }
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function callFunction(
  desk: Desk,
  { word, args, stdin, own }: Omit<Named, 'name'> & { own: Parameters<Desk['runFunction']>[0] },
): string {
  const { calls } = desk.scope
  if (calls.includes(`${word}&`)) {
    desk.report('HIGH', `Starts itself again and again: ${clip(word)}`)
    return ''
  }
  if (calls.includes(word)) {
    desk.report('MEDIUM', `A function calls itself: ${clip(word)}`)
    return ''
  }
  return desk.runFunction(own, args, stdin)
}

/** Whatever the program, naming a file of secrets is worth a word. */
function rateFiles(desk: Desk, name: string, args: readonly string[]): void {
  if (takesNoFiles(name)) return
  const read = /^(cp|mv|install|ln)$/.test(name) ? args.slice(0, -1) : args
  for (const arg of read) {
    const path = arg.replace(/^(-[A-Za-z](?=[/~.])|--?[\w-]+=@?|[\w-]+=@?|@)/, '')
    if (path.startsWith('-') || path === '' || /\s|:\/\//.test(path)) continue
    const finding = findingOfRead(desk.place(path))
    if (finding) desk.report(finding.risk, finding.reason)
  }
}

/** What the files among the arguments hold. */
export function contentsOf(desk: Desk, paths: readonly string[]): string {
  return paths.map(path => contentOf(desk, path)).join('')
}
