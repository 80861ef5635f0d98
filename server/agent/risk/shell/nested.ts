import { forEachChild, type SyntaxNode } from 'unbash'
import type { Desk } from './desk.ts'
import { fork } from './scope.ts'

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }
>

function isSubstitution(node: SyntaxNode): node is Substitution {
  return /^(CommandExpansion|ProcessSubstitution|ArithmeticCommandExpansion)$/.test(node.type)
}

/** Looks at the commands inside a part that is not expanded itself: tests, arithmetic, patterns, indexes. */
export function runNested(desk: Desk, node: SyntaxNode): void {
  desk.spend()
  if (isSubstitution(node) && node.script) {
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
