import { type Function as FunctionNode, type ParsedScript, parse } from 'unbash'
import { BOUNDS } from '../../../domain/bounds.ts'
import { RANK } from '../../../domain/security-risk.ts'
import { isDeep } from '../../../text/command-nesting.ts'
import { clip, type Finding } from '../finding.ts'
import { type ClassifiedPath, classifyPath, findingOfWrite } from '../paths.ts'
import { PROGRAMS } from '../programs/programs.ts'
import { bounded, escapeTaint } from '../taint.ts'
import { type ShellAnalysis, TooComplicated } from './analysis.ts'
import { runProgram } from './argv.ts'
import { createScope } from './scope.ts'
import { runFunctionBody, runStatements } from './walk.ts'

const MAX_DEPTH = 20

/**
 * Everything worth knowing about a command before it runs. It is read as a shell reads it and followed as far as its
 * text says what happens; nothing is run. The work is bounded by length, depth and steps: what needs more is rated HIGH.
 */
export function findingsOfCommand(command: string, where: { workingDir: string; cwd?: string | undefined }): Finding[] {
  if (command.length > BOUNDS.checkedCommand.limit) return [{ risk: 'HIGH', reason: 'Too long to be checked' }]
  if (isDeep(command)) return [{ risk: 'HIGH', reason: 'Too complicated to be checked' }]
  const findings: Finding[] = []
  const report = (risk: Finding['risk'], reason: string): void => {
    if (findings.length < MAX_FINDINGS || risk === 'HIGH') findings.push({ risk, reason })
  }
  rateCharacters(command, report)
  const text = escapeTaint(command)
  try {
    createAnalysis(where, report).runText(text)
  } catch (error) {
    if (!(error instanceof TooComplicated)) throw error
    report('HIGH', 'Too complicated to be checked')
  }
  return findings
}

const MAX_FINDINGS = 200

// biome-ignore lint/suspicious/noControlCharactersInRegex: they act as keys in a terminal
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F]/
const INVISIBLE = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u

function rateCharacters(command: string, report: ShellAnalysis['report']): void {
  if (CONTROL.test(command.replaceAll('\r\n', '\n')))
    report('HIGH', 'Contains control characters, which act as keys in a terminal')
  if (INVISIBLE.test(command)) report('HIGH', 'Contains invisible characters that can make it look different')
}

function createAnalysis(
  where: { workingDir: string; cwd?: string | undefined },
  report: ShellAnalysis['report'],
): ShellAnalysis {
  const { workingDir } = where
  let steps = 0
  let depth = 0
  let guesses = 0
  const deeper = <T>(work: () => T): T => {
    if (++depth > MAX_DEPTH) throw new TooComplicated()
    const result = work()
    depth--
    return result
  }
  const analysis: ShellAnalysis = {
    scope: createScope(where.cwd ?? (workingDir || '/')),
    workingDir,
    secretNames: new Set(),
    ambiguous: new Set(),
    programs: PROGRAMS,
    report: (risk, reason) => {
      if (guesses === 0 || risk === 'HIGH') report(risk, reason)
    },
    onlyHighRisk: work => {
      guesses++
      work()
      guesses--
    },
    consumeBudget: (count = 1) => {
      steps += count
      if (steps > BOUNDS.checkedCommandSteps.limit) throw new TooComplicated()
    },
    classify: path => classifyIn(analysis, path),
    runText: (text, stdin) => {
      analysis.consumeBudget(1 + Math.floor(text.length / 200))
      return deeper(() => runParsed(analysis, text, stdin))
    },
    runScript: (script, stdin) => deeper(() => runParsedScript(analysis, script, stdin)),
    runFunction: (node, args, stdin) => deeper(() => runWithArguments(analysis, node, { args, stdin })),
    runArgv: (argv, stdin) => deeper(() => (argv.length > 0 ? bounded(runProgram(analysis, argv, stdin)) : '')),
  }
  return analysis
}

function runParsed(analysis: ShellAnalysis, text: string, stdin: string | undefined): string {
  const script = parse(text)
  const printed = runParsedScript(analysis, script, stdin)
  if (script.errors?.length && text.includes('\n')) {
    // A shell that reads lines runs those before and after one that it refuses.
    for (const line of text.split('\n')) runStatements(analysis, parse(line).commands, undefined)
  }
  return printed
}

function runParsedScript(analysis: ShellAnalysis, script: ParsedScript, stdin: string | undefined): string {
  if (script.errors?.length) {
    const deep = script.errors.some(({ message }) => /nest|depth/i.test(message))
    analysis.report(
      deep ? 'HIGH' : 'MEDIUM',
      deep ? 'Too complicated to be checked' : `Is not a complete command: ${clip(script.errors[0]?.message ?? '')}`,
    )
  }
  return bounded(runStatements(analysis, script.commands, stdin))
}

function runWithArguments(
  analysis: ShellAnalysis,
  node: FunctionNode,
  { args, stdin }: { args: readonly string[]; stdin: string | undefined },
): string {
  const { scope } = analysis
  const before = scope.positional
  scope.positional = [...args]
  try {
    return runFunctionBody(analysis, node, stdin)
  } finally {
    scope.positional = before
  }
}

function classifyIn(analysis: ShellAnalysis, path: string): ClassifiedPath {
  const places = analysis.scope.directories.map(cwd => classifyPath(path, { cwd, workingDir: analysis.workingDir }))
  const weight = (place: ClassifiedPath): number =>
    RANK[findingOfWrite(place)?.risk ?? 'LOW'] * 2 + (/^[*?.]*$/.test(place.rest) ? 1 : 0)
  const [first, ...others] = places
  if (!first) return classifyPath(path, { cwd: '/', workingDir: analysis.workingDir })
  return others.reduce((worst, place) => (weight(place) > weight(worst) ? place : worst), first)
}
