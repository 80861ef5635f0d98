import { z } from 'zod'
import { BROWSER_ACTIONS } from './browser-actions.ts'

/** What the agent wants to do: one schema per kind, as it is logged. Parameters come from the tool of the same file. */

export const terminalAction = z.object({
  kind: z.literal('TerminalAction'),
  command: z.string(),
  is_input: z.boolean().default(false),
  /** seconds */
  timeout: z.number().min(0).optional(),
  reset: z.boolean().default(false),
})

export const FILE_EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert', 'undo_edit'] as const

export const fileEditorAction = z.object({
  kind: z.literal('FileEditorAction'),
  command: z.enum(FILE_EDITOR_COMMANDS),
  path: z.string(),
  file_text: z.string().optional(),
  old_str: z.string().optional(),
  new_str: z.string().optional(),
  insert_line: z.int().min(0).optional(),
  view_range: z.array(z.int()).length(2).optional(),
})

export const thinkAction = z.object({ kind: z.literal('ThinkAction'), thought: z.string() })
export const finishAction = z.object({ kind: z.literal('FinishAction'), message: z.string() })

export const applyPatchAction = z.object({ kind: z.literal('ApplyPatchAction'), patch: z.string() })

export const grepAction = z.object({
  kind: z.literal('GrepAction'),
  /** regular expression, case-insensitive */
  pattern: z.string(),
  path: z.string().optional(),
  /** file name glob */
  include: z.string().optional(),
})

export const globAction = z.object({ kind: z.literal('GlobAction'), pattern: z.string(), path: z.string().optional() })

export const TASK_STATUSES = ['todo', 'in_progress', 'done'] as const
export const taskItem = z.object({
  title: z.string(),
  notes: z.string().default(''),
  status: z.enum(TASK_STATUSES).default('todo'),
})
export type TaskItem = z.output<typeof taskItem>
export const TASK_TRACKER_COMMANDS = ['view', 'plan'] as const
export const taskTrackerAction = z.object({
  kind: z.literal('TaskTrackerAction'),
  command: z.enum(TASK_TRACKER_COMMANDS),
  task_list: z.array(taskItem).default([]),
})

export const invokeSkillAction = z.object({ kind: z.literal('InvokeSkillAction'), name: z.string() })

/** A piece of work for a sub-agent with a context of its own. */
export const taskAction = z.object({
  kind: z.literal('TaskAction'),
  prompt: z.string(),
  description: z.string().optional(),
  subagent_type: z.string().default('general-purpose'),
  /** id of an earlier task to go on with */
  resume: z.string().optional(),
})

/** A call of a tool server's tool; `data` are its arguments as the model gave them. */
export const mcpToolAction = z.object({ kind: z.literal('MCPToolAction'), data: z.record(z.string(), z.unknown()) })

/** A call that the client carries out, with the arguments that its declaration names. */
export const clientToolAction = z.object({
  kind: z.literal('ClientToolAction'),
  data: z.record(z.string(), z.unknown()),
})

export const action = z.discriminatedUnion('kind', [
  terminalAction,
  fileEditorAction,
  applyPatchAction,
  grepAction,
  globAction,
  taskTrackerAction,
  thinkAction,
  invokeSkillAction,
  taskAction,
  mcpToolAction,
  clientToolAction,
  ...BROWSER_ACTIONS,
  finishAction,
])
export type Action = z.output<typeof action>
export type ActionKind = Action['kind']
