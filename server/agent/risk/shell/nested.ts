import { forEachChild, type SyntaxNode } from 'unbash'
import type { Desk } from './desk.ts'
import { fork } from './scope.ts'

/** Looks at the commands inside a part that is not expanded itself: tests, arithmetic, patterns, indexes. */
export function runNested(desk: Desk, node: SyntaxNode): void {
  desk.spend()
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script) {
    const outer = desk.scope
    desk.scope = fork(outer)
    try {
      desk.runScript(node.script)
    } finally {
      desk.scope = outer
    }
    return
  }
  forEachChild(node, child => runNested(desk, child))
}
