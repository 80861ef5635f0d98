import type { Function as FunctionNode, ParsedScript } from 'unbash'
import type { Finding } from '../finding.ts'
import type { ClassifiedPath } from '../paths.ts'
import type { Scope } from './scope.ts'

/** Where commands are looked at: what is known so far, and how to look at further ones. */
export interface ShellAnalysis {
  scope: Scope
  readonly workingDir: string
  /** Variables that hold secrets by their name, and were named. */
  readonly secretNames: Set<string>
  /** Variables with several possible values that were read. */
  readonly ambiguous: Set<string>
  report(risk: Finding['risk'], reason: string): void
  /** Reports only what is HIGH: where a text may be a command, or just a text. */
  onlyHighRisk(work: () => void): void
  /** Counts a step of work. @throws TooComplicated when it was the last one */
  consumeBudget(steps?: number): void
  /** Where a path may lead, the most delicate first. */
  classify(path: string): ClassifiedPath
  /** Looks at a text as the shell would run it. Answers what it prints. */
  runText(text: string, stdin?: string): string
  runScript(script: ParsedScript, stdin?: string): string
  /** Looks at a call of a function that these commands define. */
  runFunction(node: FunctionNode, args: readonly string[], stdin?: string): string
  /** Looks at one command whose words are already expanded. */
  runArgv(argv: readonly string[], stdin?: string): string
  /** What may be known about a program by its name. */
  readonly programs: ReadonlyMap<string, Rule>
}

/** The work bound was reached: what is not understood in bounded time must not pass as harmless. */
export class TooComplicated extends Error {}

export interface Call {
  /** The program's name without its folder. */
  name: string
  args: readonly string[]
  /** What comes over the pipe or a redirection; undefined when nothing does. */
  stdin: string | undefined
  analysis: ShellAnalysis
}

/** Looks at a call of one program. Answers what it prints, undefined when that is not known. */
export type Rule = (call: Call) => string | undefined
