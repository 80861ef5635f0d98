import { z } from 'zod'
import { FILE_EDITOR_COMMANDS, TASK_TRACKER_COMMANDS, taskItem } from './actions.ts'
import { content } from './content.ts'

/** What came of an action: one schema per kind. `content` is what the model reads. */
const observed = { content: z.array(content), is_error: z.boolean() }

export const terminalMetadata = z.object({
  exit_code: z.int(),
  pid: z.int(),
  username: z.string().optional(),
  hostname: z.string().optional(),
  working_dir: z.string().optional(),
  py_interpreter_path: z.string().optional(),
  prefix: z.string(),
  suffix: z.string(),
})

export const terminalObservation = z.object({
  kind: z.literal('TerminalObservation'),
  ...observed,
  command: z.string(),
  /** -1 while the process goes on */
  exit_code: z.int(),
  /** true when a time-out ended the wait; the process goes on */
  timeout: z.boolean(),
  metadata: terminalMetadata,
  full_output_save_dir: z.string().optional(),
})

export const fileEditorObservation = z.object({
  kind: z.literal('FileEditorObservation'),
  ...observed,
  command: z.enum(FILE_EDITOR_COMMANDS),
  path: z.string(),
  prev_exist: z.boolean(),
  old_content: z.string().optional(),
  new_content: z.string().optional(),
})

export const thinkObservation = z.object({ kind: z.literal('ThinkObservation'), ...observed })
export const finishObservation = z.object({ kind: z.literal('FinishObservation'), ...observed })

const patchChange = z.object({
  type: z.enum(['add', 'delete', 'update']),
  old_content: z.string().optional(),
  new_content: z.string().optional(),
  move_path: z.string().optional(),
})

export const applyPatchObservation = z.object({
  kind: z.literal('ApplyPatchObservation'),
  ...observed,
  message: z.string(),
  /** how far the patch's context had to be bent to fit; 0 when it fits to the letter */
  fuzz: z.int(),
  /** by path, relative to the working directory */
  commit: z.object({ changes: z.record(z.string(), patchChange) }).optional(),
})

export const grepObservation = z.object({
  kind: z.literal('GrepObservation'),
  ...observed,
  matches: z.array(z.string()),
  pattern: z.string(),
  search_path: z.string(),
  include_pattern: z.string().optional(),
  truncated: z.boolean(),
})

export const globObservation = z.object({
  kind: z.literal('GlobObservation'),
  ...observed,
  /** absolute, newest first */
  files: z.array(z.string()),
  pattern: z.string(),
  search_path: z.string(),
  truncated: z.boolean(),
})

export const taskTrackerObservation = z.object({
  kind: z.literal('TaskTrackerObservation'),
  ...observed,
  command: z.enum(TASK_TRACKER_COMMANDS),
  task_list: z.array(taskItem),
})

export const invokeSkillObservation = z.object({
  kind: z.literal('InvokeSkillObservation'),
  ...observed,
  name: z.string(),
})

export const taskObservation = z.object({
  kind: z.literal('TaskObservation'),
  ...observed,
  /** the sub-agent's conversation */
  task_id: z.string(),
  subagent: z.string(),
  status: z.enum(['completed', 'failed', 'stopped']),
})

export const mcpToolObservation = z.object({
  kind: z.literal('MCPToolObservation'),
  ...observed,
  tool_name: z.string(),
})
export const clientToolObservation = z.object({ kind: z.literal('ClientToolObservation'), ...observed })

export const browserObservation = z.object({
  kind: z.literal('BrowserObservation'),
  ...observed,
  /** data URL; in `content` too when the model is to see it */
  screenshot_data: z.string().optional(),
  full_output_save_dir: z.string().optional(),
})

export const observation = z.discriminatedUnion('kind', [
  terminalObservation,
  fileEditorObservation,
  applyPatchObservation,
  grepObservation,
  globObservation,
  taskTrackerObservation,
  thinkObservation,
  invokeSkillObservation,
  taskObservation,
  mcpToolObservation,
  clientToolObservation,
  browserObservation,
  finishObservation,
])
export type Observation = z.output<typeof observation>
