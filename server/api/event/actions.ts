import { z } from 'zod'
import { BROWSER_ACTIONS } from './browser-actions.ts'

/** What the agent wants to do: one schema per kind, as it is logged. Parameters come from the tool of the same file. */

export const terminalAction = z.object({
  kind: z.literal('TerminalAction'),
  command: z.string().describe('Shell command as the agent wrote it; empty reads on from a command that still runs.'),
  is_input: z
    .boolean()
    .default(false)
    .describe('Whether `command` is input for the program that runs now, not a new command.'),
  timeout: z
    .number()
    .min(0)
    .optional()
    .describe("Seconds to wait for the command; absent is the tool's own time-out. The command goes on after it."),
  reset: z.boolean().default(false).describe('Whether the terminal is ended and started anew before anything else.'),
})

export const FILE_EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert', 'undo_edit'] as const

export const fileEditorAction = z.object({
  kind: z.literal('FileEditorAction'),
  command: z.enum(FILE_EDITOR_COMMANDS).describe('What is done with the file.'),
  path: z.string().describe('Absolute path of the file or folder in the sandbox.'),
  file_text: z.string().optional().describe('Whole text of the new file; for `create` alone.'),
  old_str: z.string().optional().describe('Text to replace, which must occur once; for `str_replace` alone.'),
  new_str: z.string().optional().describe('Text in its place for `str_replace`, or the text to put in for `insert`.'),
  insert_line: z
    .int()
    .min(0)
    .optional()
    .describe('Line after which `insert` puts its text, from 1; 0 is the beginning of the file.'),
  view_range: z
    .array(z.int())
    .length(2)
    .optional()
    .describe(
      'First and last line that `view` shows, from 1; -1 as the last is the end of the file. Absent shows all.',
    ),
})

export const thinkAction = z.object({
  kind: z.literal('ThinkAction'),
  thought: z.string().describe('What the agent writes down for itself; nothing is carried out.'),
})
export const finishAction = z.object({
  kind: z.literal('FinishAction'),
  message: z.string().describe("The agent's last message for the user."),
})

export const applyPatchAction = z.object({
  kind: z.literal('ApplyPatchAction'),
  patch: z.string().describe('Patch between `*** Begin Patch` and `*** End Patch`, which may touch several files.'),
})

export const grepAction = z.object({
  kind: z.literal('GrepAction'),
  pattern: z.string().describe('Regular expression, not case-sensitive.'),
  path: z.string().optional().describe('Folder to search; absent is the working directory.'),
  include: z.string().optional().describe('Glob that the names of the searched files must match; absent searches all.'),
})

export const globAction = z.object({
  kind: z.literal('GlobAction'),
  pattern: z.string().describe('Glob of file names, such as `**/*.py`.'),
  path: z.string().optional().describe('Folder to search; absent is the working directory.'),
})

export const TASK_STATUSES = ['todo', 'in_progress', 'done'] as const
export const taskItem = z.object({
  title: z.string().describe('The piece of work in a few words.'),
  notes: z.string().default('').describe('What there is to know about it; empty when there is nothing.'),
  status: z.enum(TASK_STATUSES).default('todo').describe('How far this piece of work is.'),
})
export type TaskItem = z.output<typeof taskItem>
export const TASK_TRACKER_COMMANDS = ['view', 'plan'] as const
export const taskTrackerAction = z.object({
  kind: z.literal('TaskTrackerAction'),
  command: z.enum(TASK_TRACKER_COMMANDS).describe('`plan` replaces the list of tasks, `view` reads it.'),
  task_list: z.array(taskItem).default([]).describe('The new list for `plan`, in order; ignored for `view`.'),
})

export const invokeSkillAction = z.object({
  kind: z.literal('InvokeSkillAction'),
  name: z.string().describe('Name of the skill whose instructions are read.'),
})

/** A piece of work for a sub-agent with a context of its own. */
export const taskAction = z.object({
  kind: z.literal('TaskAction'),
  prompt: z.string().describe('What the sub-agent has to do; it knows nothing else of the conversation.'),
  description: z.string().optional().describe('The task in a few words, for people.'),
  subagent_type: z
    .string()
    .default('general-purpose')
    .describe("Name of the kind of sub-agent, such as `general-purpose` or one of the repository's own."),
  resume: z
    .string()
    .optional()
    .describe('Id of an earlier task of this conversation to go on with; absent begins a new one.'),
})

/** A call of a tool server's tool; `data` are its arguments as the model gave them. */
export const mcpToolAction = z.object({
  kind: z.literal('MCPToolAction'),
  data: z.record(z.string(), z.unknown()).describe("Arguments of the call, as the tool server's schema for them says."),
})

/** A call that the client carries out, with the arguments that its declaration names. */
export const clientToolAction = z.object({
  kind: z.literal('ClientToolAction'),
  data: z
    .record(z.string(), z.unknown())
    .describe('Arguments of the call, as the schema that the client gave with its tool says.'),
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
