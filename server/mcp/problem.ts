import type { McpErrorKind, McpProblem } from '../api/v1/settings/mcp-states.ts'

/** A failure of a tool server, in words for a person. */
export class McpFailure extends Error {
  readonly problem: McpProblem
  /** What was asked never reached the server: to ask again does nothing twice. */
  readonly neverArrived: boolean

  constructor(problem: McpProblem, options: { cause?: unknown; neverArrived?: boolean } = {}) {
    super(problem.error, options)
    this.name = 'McpFailure'
    this.problem = problem
    this.neverArrived = options.neverArrived ?? false
  }
}

export const NEXT_STEPS: Record<McpErrorKind, string> = {
  timeout: 'Give it a longer time-out, or try again.',
  connection: 'Check the address, and that the server runs.',
  sign_in: 'Sign in to it, or give its key.',
  authorization: 'Check its key in Settings › Tool servers.',
  trust: 'Look at what it runs and trust it in a conversation of this repository: then it starts.',
  configuration: 'Check the command and its arguments.',
  crashed: 'Look at its log, then start it again.',
  protocol: 'Check that the address or command is a tool server of this transport, and look at its log.',
  sandbox: 'Start the sandbox; the server starts with it at the next run.',
  unknown: 'Look at its log, then start it again.',
}

export function failure(error_kind: McpErrorKind, error: string, cause?: unknown): McpFailure {
  return new McpFailure({ error_kind, error, next_step: NEXT_STEPS[error_kind] }, { cause })
}
