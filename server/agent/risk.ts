import type { Action } from '../api/event/actions.ts'
import { findingsOfClick, findingsOfStorage, findingsOfTyping, findingsOfVisit } from './risk/browser.ts'
import { type Finding, type Rating, toRating } from './risk/finding.ts'
import { findingsOfCommand } from './risk/shell/interpreter.ts'
import { TAINT } from './risk/taint.ts'
import {
  findingsOfEdit,
  findingsOfPatch,
  findingsOfSearch,
  findingsOfToolCall,
  pathsFrom,
  type ToolHints,
} from './risk/tool-actions.ts'

export type { Rating } from './risk/finding.ts'

export interface RiskContext {
  /** What the agent may read and edit freely. '' when it is not known: then every absolute path is outside. */
  workingDir: string
  /** Where the shell stands; the working directory when absent, and anywhere when null. For commands alone. */
  cwd?: string | null | undefined
  /** Where the browser stands; absent and null when nobody knows. */
  page?: string | null | undefined
  /** Of the tool that an MCPToolAction calls. */
  hints?: ToolHints | undefined
}

/**
 * Rates what the agent wants to do by rules of our own: pure, bounded in time, without network. LOW reads, edits and
 * builds in the working directory; MEDIUM changes the sandbox, installs, talks to the network or cannot be read; HIGH
 * destroys, sends data out, gains rights, stays for later or runs what nobody has seen.
 *
 * It sees one action at a time: a script that an earlier action wrote or fetched is a file like any other. It never
 * throws: an analyzer that fails must let nothing pass, so its rating is HIGH.
 */
export function rateAction(action: Action, context: RiskContext): Rating {
  try {
    return toRating(findingsOf(action, context))
  } catch {
    return { risk: 'HIGH', reasons: ['The risk of this could not be worked out'] }
  }
}

function findingsOf(action: Action, context: RiskContext): Finding[] {
  const place = pathsFrom(context.workingDir)
  switch (action.kind) {
    case 'TerminalAction':
      return findingsOfTerminal(action, context)
    case 'FileEditorAction':
      return findingsOfEdit(action, place)
    case 'ApplyPatchAction':
      return findingsOfPatch(action, place)
    case 'GrepAction':
    case 'GlobAction':
      return findingsOfSearch(action, place)
    case 'BrowserNavigateAction':
      return findingsOfVisit(action, place)
    case 'BrowserClickAction':
      return findingsOfClick(context.page)
    case 'BrowserTypeAction':
      return findingsOfTyping(action, context.page, place)
    case 'BrowserGetStorageAction':
    case 'BrowserSetStorageAction':
      return findingsOfStorage(action)
    case 'MCPToolAction':
      return findingsOfToolCall(action.data, context.hints, place)
    case 'ClientToolAction':
      return [{ risk: 'MEDIUM', reason: 'Calls a tool of the program that started the conversation' }]
    default:
      return []
  }
}

const KEY = /^(C-[a-z\\[\]^_@]|UP|DOWN|LEFT|RIGHT|HOME|END|PGUP|PGDN|TAB|ESC|BS|ENTER)$/i
const ANSWER = /^[\w .,:@/+-]{0,40}$/

/** Input goes to a program that nobody sees here. A shell may be listening, so a dangerous command stays one. */
function findingsOfTerminal(action: Extract<Action, { kind: 'TerminalAction' }>, context: RiskContext): Finding[] {
  const command = action.command
  if (command.trim() === '' || (action.is_input && KEY.test(command.trim()))) return []
  const { workingDir, cwd } = context
  const findings = findingsOfCommand(command, { workingDir, cwd: cwd === null ? TAINT.unknown : cwd })
  if (!action.is_input) return findings
  const dangerous = findings.filter(({ risk }) => risk === 'HIGH')
  if (dangerous.length > 0) return dangerous
  return ANSWER.test(command) ? [] : [{ risk: 'MEDIUM', reason: 'Types into a program that is running' }]
}
