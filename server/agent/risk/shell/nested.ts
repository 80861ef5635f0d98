import { forEachChild, type SyntaxNode } from 'unbash'
import type { ShellAnalysis } from './analysis.ts'
import { inSubshell } from './subshell.ts'

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }
>

function isSubstitution(node: SyntaxNode): node is Substitution {
  return /^(CommandExpansion|ProcessSubstitution|ArithmeticCommandExpansion)$/.test(node.type)
}

/** Looks at the commands inside a part that is not expanded itself: tests, arithmetic, patterns, indexes. */
export function runNested(analysis: ShellAnalysis, node: SyntaxNode): void {
  analysis.consumeBudget()
  if (isSubstitution(node) && node.script) {
    const { script } = node
    inSubshell(analysis, () => analysis.runScript(script))
    return
  }
  forEachChild(node, child => runNested(analysis, child))
}
