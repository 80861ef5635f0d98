import type { Function as FunctionNode } from 'unbash'

/** What a shell knows at one moment, as far as it is known without running anything. */
export interface Scope {
  /** Where the shell may stand: more than one after a `cd` that may have failed. */
  directories: string[]
  /** The values that a variable may have. */
  variables: Map<string, string[]>
  functions: Map<string, FunctionNode>
  aliases: Map<string, string>
  /** Files that these commands have written, with their contents. */
  written: Map<string, string>
  positional: string[]
  /** Greater than 0 where a command may or may not run: an assignment then adds a value. */
  conditional: number
  /** Functions that are being run. */
  calls: string[]
}

const MAX_VALUES = 64

export function createScope(directory: string): Scope {
  return {
    directories: [directory],
    variables: new Map(Object.entries(ENVIRONMENT).map(([name, value]) => [name, [value]])),
    functions: new Map(),
    aliases: new Map(),
    written: new Map(),
    positional: [],
    conditional: 0,
    calls: [],
  }
}

/** What the variables of every shell begin with; unset ones are not listed. */
const ENVIRONMENT: Record<string, string> = {
  HOME: '/root',
  SHELL: '/bin/bash',
  BASH: '/bin/bash',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  IFS: ' \t\n',
  TMPDIR: '/tmp',
}

/** A subshell's own copy. */
export function fork(scope: Scope): Scope {
  return {
    ...scope,
    directories: [...scope.directories],
    variables: new Map(scope.variables),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    written: scope.written,
  }
}

export function assign(scope: Scope, name: string, value: string): void {
  const before = scope.conditional > 0 ? (scope.variables.get(name) ?? []) : []
  if (before.includes(value)) return
  scope.variables.set(name, [...before, value].slice(-MAX_VALUES))
}

export function setDirectories(scope: Scope, directories: string[]): void {
  scope.directories = [...new Set(directories)].slice(0, MAX_DIRECTORIES)
}

const MAX_DIRECTORIES = 8
