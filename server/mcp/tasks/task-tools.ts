import { z } from 'zod'
import type { StartStep } from '../../api/v1/conversation/starts.ts'
import { timeLimit } from '../../async/time-limit.ts'
import type { Atelier } from '../../client/atelier.ts'
import type { Conversation, ConversationResult } from '../../client/conversation.ts'
import { describeFrame } from './frame-text.ts'

/** How a tool of this server is called, and what it is given beside its arguments. */
export interface TaskTool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  readOnly: boolean
  run(atelier: Atelier, input: z.output<Input>, call: ToolCall): Promise<Record<string, unknown>>
}

export interface ToolCall {
  signal: AbortSignal
  /** Tells the caller what goes on. */
  progress(message: string): void
}

const MAX_TEXT = 100_000
const DEFAULT_WAIT_SECONDS = 50
const conversationId = z
  .string()
  .regex(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, 'Is no id of a conversation.')
  .describe('Id of the conversation, as start_task returned it.')
const waitSeconds = z
  .number()
  .min(0)
  .max(3600)
  .default(DEFAULT_WAIT_SECONDS)
  .describe('Seconds to wait at most; the agent goes on after them. Many clients give up on a call after 60.')

const startTask = tool({
  name: 'start_task',
  title: 'Start a task',
  description:
    'Starts an agent on a software-development task in a sandbox of its own and returns the id of the conversation. Follow it with wait_for_task.',
  readOnly: false,
  input: z.object({
    task: z
      .string()
      .trim()
      .min(1)
      .max(100_000)
      .describe('What the agent is asked to do, with all that it has to know.'),
    repository: z.string().max(2048).optional().describe('Repository to clone: a git URL, or owner/name at GitHub.'),
    branch: z
      .string()
      .max(250)
      .optional()
      .describe("Branch to check out; the repository's default unless it is given."),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('Model, as provider/model; that of the settings unless it is given.'),
    title: z.string().max(200).optional().describe('Title for people.'),
    confirm_each: z.boolean().default(false).describe('Whether a person is asked before every action.'),
  }),
  run: async (atelier, input, { signal, progress }) => {
    const conversation = await atelier.startConversation(
      {
        message: input.task,
        selected_repository: input.repository,
        selected_branch: input.branch,
        llm_model: input.model,
        title: input.title,
        ...(input.confirm_each && { confirmation_policy: { kind: 'AlwaysConfirm' as const } }),
      },
      { signal, onStep: step => progress(stepText(step)) },
    )
    const { sandbox_id } = await conversation.info(signal)
    return { conversation_id: conversation.id, sandbox_id, status: 'running' }
  },
})

const waitForTask = tool({
  name: 'wait_for_task',
  title: 'Wait for a task',
  description:
    'Waits until the agent is done, needs a person, or the time is over. `status` is finished, error, stuck, paused, idle, waiting_for_confirmation (a person has to answer in Atelier) or running (call again).',
  readOnly: true,
  input: z.object({ conversation_id: conversationId, timeout_seconds: waitSeconds }),
  run: (atelier, input, call) => waitFor(atelier.conversation(input.conversation_id), input.timeout_seconds, call),
})

const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Says something to the agent. One that works reads it before its next step, another begins to work. Actions that wait for a person are rejected by it.',
  readOnly: false,
  input: z.object({
    conversation_id: conversationId,
    message: z.string().trim().min(1).max(100_000).describe('The message.'),
  }),
  run: async (atelier, { conversation_id, message }) => {
    await atelier.conversation(conversation_id).send(message)
    return { sent: true }
  },
})

const stopTask = tool({
  name: 'stop_task',
  title: 'Stop a task',
  description: 'Stops the agent now, with its command. send_message lets it go on.',
  readOnly: false,
  input: z.object({ conversation_id: conversationId }),
  run: async (atelier, { conversation_id }) => {
    await atelier.conversation(conversation_id).stop()
    return { stopped: true }
  },
})

const readChanges = tool({
  name: 'read_changes',
  title: 'Read changes',
  description: 'The files that a conversation has changed, and the changes as a patch for `git apply`.',
  readOnly: true,
  input: z.object({
    conversation_id: conversationId,
    with_patch: z.boolean().default(true).describe('Whether the patch is wanted too.'),
  }),
  run: async (atelier, { conversation_id, with_patch }, { signal }) => {
    const conversation = atelier.conversation(conversation_id)
    const files = await conversation.changes(signal)
    if (!with_patch || files.length === 0) return { files }
    return { files, ...(await beginningOf(await conversation.patch(signal))) }
  },
})

const listTasks = tool({
  name: 'list_tasks',
  title: 'List tasks',
  description: 'Conversations, newest first, with the status of each.',
  readOnly: true,
  input: z.object({ limit: z.int().min(1).max(100).default(20).describe('How many at most.') }),
  run: async (atelier, { limit }, { signal }) => {
    const tasks = []
    for await (const found of atelier.conversations({ limit }, { signal })) {
      const { id, title, execution_status, sandbox_id, updated_at } = found
      tasks.push({ conversation_id: id, title, status: execution_status, sandbox_id, updated_at })
      if (tasks.length === limit) break
    }
    return { tasks }
  },
})

const runCommand = tool({
  name: 'run_command',
  title: 'Run a command in a sandbox',
  description:
    "Runs a shell command in a conversation's sandbox, apart from its agent, and returns its output and exit status.",
  readOnly: false,
  input: z.object({
    conversation_id: conversationId,
    command: z.string().min(1).max(100_000).describe('Command for a shell of its own.'),
    cwd: z
      .string()
      .max(4096)
      .optional()
      .describe("Absolute path; the conversation's working directory unless it is given."),
    timeout_seconds: z.int().min(1).max(3600).default(DEFAULT_WAIT_SECONDS).describe('Seconds until it is ended.'),
  }),
  run: async (atelier, { conversation_id, command, cwd, timeout_seconds }, { signal }) => {
    const conversation = atelier.conversation(conversation_id)
    const sandbox = await conversation.sandbox(signal)
    const folder = cwd ?? (await conversation.workingDirectory(signal))
    const result = await sandbox.run(command, { cwd: folder, timeout: timeout_seconds, signal })
    const cut = (text: string) =>
      text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n… ${text.length} characters in all` : text
    return { exit_code: result.exitCode, stdout: cut(result.stdout), stderr: cut(result.stderr) }
  },
})

/**
 * What another agent can do. Confirmations are not among it: they are for a person. Values of secrets, settings and
 * keys are neither.
 */
export const TASK_TOOLS: readonly TaskTool[] = [
  startTask,
  waitForTask,
  sendMessage,
  stopTask,
  readChanges,
  listTasks,
  runCommand,
]

async function waitFor(
  conversation: Conversation,
  seconds: number,
  { signal, progress }: ToolCall,
): Promise<Record<string, unknown>> {
  const deadline = timeLimit(seconds * 1000)
  try {
    const result = await conversation.wait({
      signal: AbortSignal.any([signal, deadline]),
      onFrame: frame => {
        const text = describeFrame(frame)
        if (text) progress(text)
      },
    })
    return ended(conversation, result, signal)
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error
    return { status: 'running' }
  }
}

async function ended(conversation: Conversation, { status, response, error }: ConversationResult, signal: AbortSignal) {
  const waiting = status === 'waiting_for_confirmation' ? await conversation.waitingActions(signal) : []
  return {
    status,
    response,
    ...(error && { error }),
    ...(waiting.length > 0 && { waiting_actions: waiting.map(describeFrame) }),
  }
}

async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<{ patch: string; patch_is_cut: boolean }> {
  const decoder = new TextDecoder()
  let patch = ''
  for await (const chunk of stream) {
    patch += decoder.decode(chunk, { stream: true })
    if (patch.length > MAX_TEXT) return { patch: patch.slice(0, MAX_TEXT), patch_is_cut: true }
  }
  return { patch, patch_is_cut: false }
}

function stepText({ status, detail }: StartStep): string {
  const text = status.toLowerCase().replaceAll('_', ' ')
  return detail ? `${text}: ${detail}` : text
}

/** Types the arguments of `run` by the schema. */
function tool<Input extends z.ZodObject>(definition: TaskTool<Input>): TaskTool {
  return definition as unknown as TaskTool
}
