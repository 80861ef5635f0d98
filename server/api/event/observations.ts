import { z } from 'zod'
import { FILE_EDITOR_COMMANDS, TASK_TRACKER_COMMANDS, taskItem } from './actions.ts'
import { content } from './content.ts'

/** What came of an action: one schema per kind. `content` is what the model reads. */
const observed = {
  content: z.array(content).describe('What the model reads of it: text and images in their order.'),
  is_error: z.boolean().describe('Whether the action failed.'),
}

export const terminalMetadata = z.object({
  exit_code: z.int().describe('Exit status of the command; -1 while it goes on.'),
  pid: z.int().describe('Process that runs the command; -1 when that is not known.'),
  username: z.string().optional().describe('User of the shell.'),
  hostname: z.string().optional().describe('Host name of the sandbox.'),
  working_dir: z.string().optional().describe('Working directory of the shell after the command.'),
  py_interpreter_path: z.string().optional().describe('Python interpreter that the shell finds.'),
  prefix: z.string().describe('What is put before the output for the model.'),
  suffix: z.string().describe('What is put after the output for the model.'),
})

export const terminalObservation = z.object({
  kind: z.literal('TerminalObservation'),
  ...observed,
  command: z.string().describe('Command that was run, with secret values masked.'),
  exit_code: z.int().describe('Exit status of the command; -1 while it goes on.'),
  timeout: z.boolean().describe('Whether a time-out ended the wait; the command goes on.'),
  metadata: terminalMetadata.describe('What the shell says of itself after the command.'),
  full_output_save_dir: z
    .string()
    .optional()
    .describe('Folder of the sandbox that has the whole output; absent when `content` has it.'),
})

export const fileEditorObservation = z.object({
  kind: z.literal('FileEditorObservation'),
  ...observed,
  command: z.enum(FILE_EDITOR_COMMANDS).describe('What was done with the file.'),
  path: z.string().describe('Absolute path of the file or folder in the sandbox.'),
  prev_exist: z.boolean().describe('Whether the file was there before.'),
  old_content: z
    .string()
    .optional()
    .describe('Text of the file before; absent when there was none or it was too long.'),
  new_content: z
    .string()
    .optional()
    .describe('Text of the file after it; absent when it was only viewed or is too long.'),
})

export const thinkObservation = z.object({ kind: z.literal('ThinkObservation'), ...observed })
export const finishObservation = z.object({ kind: z.literal('FinishObservation'), ...observed })

const patchChange = z.object({
  type: z.enum(['add', 'delete', 'update']).describe('What was done with the file.'),
  old_content: z.string().optional().describe('Text of the file before; absent for a new file.'),
  new_content: z.string().optional().describe('Text of the file after it; absent for a deleted file.'),
  move_path: z.string().optional().describe('New path of the file; absent unless it was moved.'),
})

export const applyPatchObservation = z.object({
  kind: z.literal('ApplyPatchObservation'),
  ...observed,
  message: z.string().describe('What was done, in words.'),
  fuzz: z.int().describe("How far the patch's context had to be bent to fit; 0 when it fits to the letter."),
  commit: z
    .object({
      changes: z
        .record(z.string(), patchChange)
        .describe('Changes by the path of the file, relative to the working directory.'),
    })
    .optional()
    .describe('What was changed; absent when the patch failed.'),
})

export const grepObservation = z.object({
  kind: z.literal('GrepObservation'),
  ...observed,
  matches: z.array(z.string()).describe('Absolute paths of the files that match.'),
  pattern: z.string().describe('Regular expression that was searched for.'),
  search_path: z.string().describe('Folder that was searched.'),
  include_pattern: z.string().optional().describe('Glob of the names of the files that were searched; absent for all.'),
  truncated: z.boolean().describe('Whether there are more than are listed.'),
})

export const globObservation = z.object({
  kind: z.literal('GlobObservation'),
  ...observed,
  files: z.array(z.string()).describe('Absolute paths of the files, those changed last first.'),
  pattern: z.string().describe('Glob that was searched for.'),
  search_path: z.string().describe('Folder that was searched.'),
  truncated: z.boolean().describe('Whether there are more than are listed.'),
})

export const taskTrackerObservation = z.object({
  kind: z.literal('TaskTrackerObservation'),
  ...observed,
  command: z.enum(TASK_TRACKER_COMMANDS).describe('What was done with the list.'),
  task_list: z.array(taskItem).describe('The list of tasks now, in order.'),
})

export const invokeSkillObservation = z.object({
  kind: z.literal('InvokeSkillObservation'),
  ...observed,
  name: z.string().describe('Name of the skill that was read.'),
})

export const taskObservation = z.object({
  kind: z.literal('TaskObservation'),
  ...observed,
  task_id: z.string().describe("The sub-agent's conversation."),
  subagent: z.string().describe('Name of the kind of sub-agent.'),
  status: z.enum(['completed', 'failed', 'stopped']).describe('How the task ended.'),
})

export const mcpToolObservation = z.object({
  kind: z.literal('MCPToolObservation'),
  ...observed,
  tool_name: z.string().describe('Name of the tool that was called.'),
})
export const clientToolObservation = z.object({ kind: z.literal('ClientToolObservation'), ...observed })

export const browserObservation = z.object({
  kind: z.literal('BrowserObservation'),
  ...observed,
  screenshot_data: z
    .string()
    .optional()
    .describe('Picture of the page as a `data:` URL; in `content` too when the model is to see it.'),
  full_output_save_dir: z
    .string()
    .optional()
    .describe('Folder of the sandbox that has the whole output; absent when `content` has it.'),
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
