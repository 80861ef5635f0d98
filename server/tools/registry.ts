import type { z } from 'zod'
import type { Action } from '../api/event/actions.ts'
import { securityRisk } from '../api/v1/conversation/confirmation.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isRecord } from '../domain/is-record.ts'
import { isTooDeep } from '../text/brackets.ts'
import { createApplyPatch } from './apply-patch.ts'
import { createBrowserTools } from './browser.ts'
import { callFields, withCallFields } from './call/fields.ts'
import { parseTolerantly } from './call/json.ts'
import { repairCall } from './call/names.ts'
import { repairValues } from './call/values.ts'
import { EditHistory } from './file-editor/history.ts'
import { createFileEditor } from './file-editor.ts'
import { createFinish } from './finish.ts'
import { createInvokeSkill } from './invoke-skill.ts'
import { createPlanningFileEditor, PLANNING_TOOLS } from './planning-file-editor.ts'
import { createPublishTools } from './publish.ts'
import { createAnswerReviewComment } from './review/answer-review-comment.ts'
import { createGlob } from './search/glob.ts'
import { createGrep } from './search/grep.ts'
import { createTask } from './task.ts'
import { createTaskTracker } from './task-tracker.ts'
import { createTerminal } from './terminal.ts'
import { createThink } from './think.ts'
import type { Tool, ToolHost } from './tool.ts'

/** The tools of one conversation, in the order in which the model sees them. Whoever makes them closes them. */
export function createTools(host: ToolHost): Tool[] {
  const history = new EditHistory()
  const skills = host.skills ? [createInvokeSkill(host.skills)] : []
  return [
    createTerminal(host),
    createFileEditor(host, history),
    createApplyPatch(host, history),
    createGrep(host),
    createGlob(host),
    createTaskTracker(host),
    ...(host.browser ? createBrowserTools({ ...host, browser: host.browser }) : []),
    ...skills,
    ...(host.subAgents ? [createTask(host.subAgents)] : []),
    ...(host.publisher ? createPublishTools(host.publisher) : []),
    ...(host.reviewComments ? [createAnswerReviewComment({ ...host, reviewComments: host.reviewComments })] : []),
    createThink(),
    createFinish(),
  ].map(withCallFields)
}

export function createPlanEditor(host: ToolHost, planPath: string): Tool {
  return withCallFields(createPlanningFileEditor(host, planPath))
}

/** The tools of an agent that plans: they read everything and write the plan. */
export function createPlanningTools(host: ToolHost, planPath: string): Tool[] {
  return [createPlanEditor(host, planPath), ...createTools(host).filter(tool => PLANNING_TOOLS.has(tool.name))]
}

export interface RawCall {
  name: string
  /** JSON text as the model wrote it */
  arguments: string
}

export type ParsedCall =
  | { kind: 'action'; tool: Tool; action: Action; summary?: string; securityRisk?: z.output<typeof securityRisk> }
  | { kind: 'invalid'; error: string }

const MAX_NAME_LENGTH = 100

/** From what the model wrote to an action. Errors tell the model what to change; they name parameters, never values. */
export function parseCall(tools: readonly Tool[], call: RawCall): ParsedCall {
  const parsed = bareText(call) ?? unwrapped(parseTolerantly(call.arguments))
  const names = tools.map(tool => tool.name)
  const { name, given } = repairCall(call.name, isRecord(parsed) ? parsed : {}, names)
  const tool = tools.find(candidate => candidate.name === name)
  if (!tool) return invalid(`Tool '${call.name.slice(0, MAX_NAME_LENGTH)}' not found. Available: ${quoted(names)}`)
  if (parsed === undefined && isTooDeep(call.arguments)) {
    return invalid(
      `Error validating tool '${name}': the arguments are nested deeper than ${BOUNDS.argumentDepth.limit} levels. Send a flatter object.`,
    )
  }
  if (!isRecord(parsed)) {
    return invalid(`Error validating tool '${name}': the arguments are not a JSON object. Parameters provided: []`)
  }
  const result = tool.parameters.safeParse(tool.inputSchema ? given : repairValues(tool.parameters, given))
  if (!result.success) {
    const problems = problemsOf(result.error.issues)
    return invalid(`Error validating tool '${name}': ${problems}. Parameters provided: ${quoted(Object.keys(given))}`)
  }
  const { parameters, summary, security_risk } = callFields(tool, result.data)
  const risk = securityRisk.safeParse(security_risk)
  return {
    kind: 'action',
    tool,
    action: tool.toAction(parameters),
    ...(typeof summary === 'string' && summary !== '' && { summary }),
    ...(risk.success && { securityRisk: risk.data }),
  }
}

function invalid(error: string): ParsedCall {
  return { kind: 'invalid', error }
}

const MAX_PROBLEMS = 20
const MAX_NAMES = 200

function problemsOf(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, MAX_PROBLEMS).map(issue => `${issue.path.join('.')}: ${issue.message}`)
  const more = issues.length > MAX_PROBLEMS ? [`and ${issues.length - MAX_PROBLEMS} more`] : []
  return [...shown, ...more].join('; ')
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(name => `'${name.slice(0, MAX_NAME_LENGTH)}'`)
  return `[${[...shown, ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ')}]`
}

/** A patch or a command line that is not in JSON at all. */
function bareText({ name, arguments: text }: RawCall): Record<string, unknown> | undefined {
  if (/patch/i.test(name) && /^\s*\*\*\* Begin Patch\n/.test(text)) return { patch: text }
  const isCommand = /^(?:terminal|(?:execute_)?bash|shell)$/i.test(name) && /^\s*[\w./~$]/.test(text)
  return isCommand && parseTolerantly(text) === undefined ? { command: text } : undefined
}

/** Arguments that were encoded twice, or put into a list of one. */
function unwrapped(value: unknown): unknown {
  if (typeof value === 'string') return parseTolerantly(value)
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
