import type { ShellAnalysis } from './analysis.ts'
import { fork } from './scope.ts'

/** What is done in it stays in it, as in a shell's parentheses. */
export function inSubshell<T>(analysis: ShellAnalysis, work: () => T): T {
  const outer = analysis.scope
  analysis.scope = fork(outer)
  try {
    return work()
  } finally {
    analysis.scope = outer
  }
}
