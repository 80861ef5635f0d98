import type { Desk } from './desk.ts'
import { fork } from './scope.ts'

/** What is done in it stays in it, as in a shell's parentheses. */
export function inSubshell<T>(desk: Desk, work: () => T): T {
  const outer = desk.scope
  desk.scope = fork(outer)
  try {
    return work()
  } finally {
    desk.scope = outer
  }
}
