import type { z } from 'zod'
import type { Action } from '../api/event/actions.ts'
import type { Content } from '../api/event/content.ts'
import type { Event } from '../api/event/events.ts'
import type { Observation } from '../api/event/observations.ts'
import type { NumberedComment } from '../api/event/review-comments.ts'
import type { BrowserSession } from '../browser/session.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { SharedShell } from '../domain/shared-shell.ts'
import type { ShellWatcher } from '../domain/shell-watcher.ts'
import type { SkillLibrary } from '../domain/skill-library.ts'
import type { SubAgents } from './sub-agents.ts'
import type { WorkPublisher } from './work-publisher.ts'

/**
 * One thing the model can do. Made once per conversation (a tool may keep a shell or an undo history); closed with it.
 *
 * INVARIANTS: `run` answers with an observation for everything that the model can act on (a failing command, a wrong
 * path); it throws only what ends the step: AppError from the sandbox, or the signal's reason when aborted.
 */
export interface Tool<A extends Action = Action> {
  readonly name: string
  readonly description: string
  /** What the model fills in, without `kind`. Its JSON schema is shown to the model; descriptions matter. */
  readonly parameters: z.ZodObject
  /** Shown to the model in place of `parameters`' schema, as a tool server gave it; `parameters` checks it all the same. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** Which of the fields that every call has are parameters of its own here, and so no word about the call. */
  readonly ownFields?: readonly ('summary' | 'security_risk')[]
  readonly readOnly: boolean
  /** Whether its tool server says that it can delete or overwrite things. */
  readonly destructive?: boolean
  /** Where the next command of its shell begins: null while that cannot be known, undefined before there is a shell. */
  readonly cwd?: () => string | null | undefined
  /** Its shell, for a person. */
  readonly shell?: SharedShell
  /** The address of the page that a browser shows; null while there is none. */
  readonly page?: () => string | null
  /** Why a person is asked about every call, whatever the conversation's policy says and whatever was allowed before. */
  readonly alwaysAsks?: string
  /** From validated parameters to the action as it is logged. */
  toAction(parameters: Record<string, unknown>): A
  /**
   * Completes an action with what the call does not say, before a person is asked about it. Such a call comes alone.
   * @throws AppError with words for the model
   */
  prepare?(action: A, signal: AbortSignal): Promise<A>
  run(action: A, context: ToolContext): Promise<Observation>
  close(): Promise<void>
}

export interface ToolContext {
  signal: AbortSignal
  /** The id of the event that the call is in the log. */
  actionId?: string
  /** Called while it runs, at most about five times a second, with the last lines of the output as text. */
  onOutput: (tail: string) => void
}

/** What a conversation gives its tools. */
export interface ToolHost {
  sandbox: () => Promise<SandboxHandle>
  /** Replaces secret values in text. */
  mask: (text: string) => string
  /** For text that may go on: what can be shown of it, masked, and the end that may be the beginning of a secret. */
  maskGrowing?: (text: string) => { shown: string; held: string }
  /** Secrets that a command names, as environment variables for this command alone. */
  environmentFor?: (command: string, signal?: AbortSignal) => Promise<Record<string, string>>
  /** Who looks at the shell of the terminal. */
  shellWatcher?: ShellWatcher
  skills?: SkillLibrary
  browser?: BrowserSession
  /** Who does pieces of work in a context of their own. */
  subAgents?: SubAgents
  /** Sends the branch to its provider. */
  publisher?: WorkPublisher
  /** The comments of every review that the conversation was sent, on any branch. */
  reviewComments?: () => readonly NumberedComment[]
  /** The conversation's log up to now, on its present branch. */
  events?: () => Promise<readonly Event[]>
}

export function text(value: string): Content[] {
  return [{ type: 'text', text: value }]
}
