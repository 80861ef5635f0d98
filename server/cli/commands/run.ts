import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FolderMode, inspectFolder } from '../../api/v1/conversation/folder/folders.ts'
import type { StartStep } from '../../api/v1/conversation/starts.ts'
import type { Atelier, NewConversation } from '../../client/atelier.ts'
import type { Conversation } from '../../client/conversation.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { openAtelier, type Session } from '../session.ts'
import { type FollowOptions, follow } from './follow.ts'

export interface RunOptions extends Pick<FollowOptions, 'confirm' | 'onInterrupt'> {
  repo?: string
  branch?: string
  provider?: NonNullable<NewConversation['git_provider']>
  folder?: string
  mode?: FolderMode
  yes?: boolean
  model?: string
  title?: string
  spec?: string
  plan?: boolean
  maxIterations?: number
  maxBudget?: number
  confirmEach?: boolean
  follow?: boolean
}

/** Starts a task; with `--follow` shows it to its end. */
export async function run(session: Session, prompt: string, options: RunOptions): Promise<ExitCode> {
  const { terminal } = session
  const message = prompt === '-' ? await terminal.input() : prompt
  if (message.trim() === '') throw new CommandError(EXIT.usage, 'The task is empty. Write what should be done.')
  if (options.folder !== undefined && options.repo !== undefined) {
    throw new CommandError(EXIT.usage, 'Give --repo or --folder, not both.')
  }
  const { mode = 'copy' } = options
  if (mode !== 'copy' && options.folder === undefined) {
    throw new CommandError(EXIT.usage, '--mode says how to work on a folder. Name it with --folder.')
  }
  const source = options.folder === undefined ? undefined : await folderSource(options.folder, mode)
  const atelier = await openAtelier(session)
  if (source?.mode === 'in_place')
    source.confirm_in_place = await mayWorkInPlace(session, atelier, source.path, options)
  const conversation = await start(session, atelier, { ...requestOf(options), source, message })
  if (terminal.isJson) terminal.json({ type: 'conversation', conversation_id: conversation.id })
  if (options.follow) return follow(session, conversation, { ...options, afterSeq: -1 })
  if (!terminal.isJson) terminal.print(conversation.id)
  terminal.say(`The agent works. \`atelier attach ${conversation.id}\` shows it.`, 'dim')
  return EXIT.done
}

async function start(session: Session, atelier: Atelier, request: NewConversation): Promise<Conversation> {
  const { terminal, signal } = session
  let last = ''
  const onStep = (step: StartStep) => {
    const line = [STEP_WORDS[step.status] ?? step.status, step.detail].filter(Boolean).join(' ')
    if (line !== last && !step.finished_at && !terminal.isJson) terminal.say(line, 'dim')
    last = line
  }
  try {
    return await atelier.startConversation(request, { signal, onStep })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CommandError(EXIT.interrupted, 'The start was cancelled; nothing runs.')
  }
}

const STEP_WORDS: Partial<Record<StartStep['status'], string>> = {
  WORKING: 'Preparing …',
  WAITING_FOR_SANDBOX: 'Starting the sandbox …',
  PREPARING_REPOSITORY: 'Preparing the repository …',
  RUNNING_SETUP_SCRIPT: 'Running the set-up script …',
  SETTING_UP_GIT_HOOKS: 'Setting up git hooks …',
  STARTING_CONVERSATION: 'Starting the conversation …',
}

function requestOf(options: RunOptions): NewConversation {
  return {
    selected_repository: options.repo,
    selected_branch: options.branch,
    git_provider: options.provider,
    llm_model: options.model,
    title: options.title,
    sandbox_spec_id: options.spec,
    max_iterations: options.maxIterations,
    max_budget_per_task: options.maxBudget,
    ...(options.plan && { agent_type: 'plan' as const }),
    ...(options.confirmEach && { confirmation_policy: { kind: 'AlwaysConfirm' as const } }),
  }
}

/** The service reads the folder itself: it is on the same machine. @throws CommandError usage */
async function folderSource(given: string, mode: FolderMode) {
  const path = resolve(given)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new CommandError(EXIT.usage, `There is no folder ${given}.`)
  if (!found.isDirectory()) throw new CommandError(EXIT.usage, `${given} is no folder.`)
  return { kind: 'folder' as const, path, mode, confirm_in_place: false }
}

/** Asked once for each folder. @returns whether the service is to remember it now @throws CommandError where nobody agrees */
async function mayWorkInPlace(
  { terminal, signal }: Session,
  atelier: Atelier,
  path: string,
  { yes = false }: Pick<RunOptions, 'yes'>,
): Promise<boolean> {
  const { in_place_confirmed } = await atelier.call(inspectFolder, { body: { path }, signal })
  if (in_place_confirmed) return false
  terminal.say('The agent will change the folder itself, and programs that you start there later run what it wrote.')
  await terminal.confirm(`Let it work in ${path}?`, { isYes: yes, signal })
  return true
}
