import type { Action } from '../api/event/actions.ts'
import type { SecurityAnalyzer, SecurityRisk } from '../api/v1/conversation/confirmation.ts'
import { higherRisk } from '../domain/security-risk.ts'
import type { Tool } from '../tools/tool.ts'
import { type Rating, rateAction } from './risk.ts'

/** A call that is to be rated before anything is done. */
export interface RatedCall {
  action: Action
  tool: Tool
  /** The model's own word. */
  modelRisk: SecurityRisk
  /** The calls before it in the same answer, which will have been carried out when its turn comes. */
  earlier: readonly Action[]
}

/**
 * Rates by rules and, where the analyzer is the model, by the model's word as well, which can only raise. Without an
 * analyzer the rating is the model's word, and the reasons are what there is to know all the same.
 */
export function rateCall(
  { action, tool, modelRisk, earlier }: RatedCall,
  { analyzer, workingDir }: { analyzer: SecurityAnalyzer | null; workingDir: string },
): Rating {
  const local = rateAction(action, {
    workingDir,
    cwd: earlier.some(mayMove) ? null : tool.cwd?.(),
    page: earlier.some(movesBrowser) ? null : tool.page?.(),
    hints: { readOnlyHint: tool.readOnly, destructiveHint: tool.destructive },
  })
  if (analyzer === null) return { risk: modelRisk, reasons: local.reasons }
  if (analyzer === 'local' || tool.readOnly) return local
  const risk = higherRisk(local.risk, modelRisk)
  return risk === local.risk ? local : { risk, reasons: [...local.reasons, `The model itself rates this ${risk}`] }
}

/** Where a click leads, nobody knows. */
function movesBrowser({ kind }: Action): boolean {
  return kind.startsWith('Browser') && kind !== 'BrowserGetStateAction' && kind !== 'BrowserGetContentAction'
}

/** Words that can take a shell elsewhere, and whatever may stand for one. */
const CHANGES_DIRECTORY =
  /(^|[^\w.-])(cd|pushd|popd|chdir|eval|source|exec|builtin|command|alias)(?![\w-])|(^|[\s;&|({])\.\s|[$`\\]/

function mayMove(action: Action): boolean {
  return action.kind === 'TerminalAction' && (action.reset || action.is_input || CHANGES_DIRECTORY.test(action.command))
}
