import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { McpErrorKind, McpProblem } from '../../api/v1/settings/mcp-states.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import { type OutboundError, outboundErrorIn } from '../../outbound/problem.ts'
import { McpFailure, NEXT_STEPS } from '../problem.ts'
import { CONNECTION_BROKEN } from './http-transport.ts'

/** Exit codes of a shell for a command that is not there or not executable. */
const NO_COMMAND = new Set([126, 127])

/** The protocol's own errors end here. @param exitCode how its process ended, if it did */
export function toFailure(error: unknown, server: McpServer, exitCode?: number): McpFailure {
  if (error instanceof McpFailure) return error
  if (exitCode !== undefined) return new McpFailure(ended(server, exitCode), { cause: error })
  const [error_kind, text] = classifyError(error, server)
  const problem = { error_kind, error: text, next_step: NEXT_STEPS[error_kind] }
  return new McpFailure(problem, { cause: error, neverArrived: wasNeverSent(error) })
}

/** Nobody listens, the connection was gone before, or the server has forgotten the session. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404
  if (error instanceof SdkError) return error.code === SdkErrorCode.NotConnected
  return outboundErrorIn(error)?.problem === 'refused'
}

function ended(server: McpServer, exitCode: number): McpProblem {
  if (server.transport === 'stdio' && NO_COMMAND.has(exitCode)) {
    return {
      error_kind: 'configuration',
      error: `The sandbox has no program '${server.command}'.`,
      next_step: 'Choose an image that has it, or install it in the sandbox and start the server again.',
    }
  }
  const error = exitCode === -1 ? 'The sandbox stopped.' : `Its process ended with exit code ${exitCode}.`
  const error_kind = exitCode === -1 ? 'sandbox' : 'crashed'
  return { error_kind, error, next_step: NEXT_STEPS[error_kind] }
}

function classifyError(error: unknown, server: McpServer): [McpErrorKind, string] {
  const network = outboundErrorIn(error)
  if (network) return unreached(network)
  if (isAppError(error)) return [error.code === 'file_not_found' ? 'configuration' : 'sandbox', error.message]
  if (isNamed(error, 'UnauthorizedError') || error instanceof UnauthorizedError) return unauthorized(server)
  if (error instanceof SdkHttpError) return classifyStatus(error.status, server)
  if (error instanceof SseError) return error.code ? classifyStatus(error.code, server) : unknownFault(error)
  if (error instanceof SdkError) {
    // The negotiation of versions puts what it met into words of its own.
    if (error.cause instanceof Error) return classifyError(error.cause, server)
    if (error.code === SdkErrorCode.RequestTimeout) return ['timeout', 'It did not answer in time.']
    if (error.code === SdkErrorCode.ListPaginationExceeded) return ['protocol', 'Its list of tools does not end.']
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected)
      return ['crashed', 'It closed the connection.']
    return ['protocol', 'It does not speak the protocol as expected.']
  }
  if (error instanceof RangeError) return ['protocol', 'What it sent is nested too deeply to be read.']
  if (error instanceof ProtocolError && error.code === CONNECTION_BROKEN) return ['crashed', 'It broke off its answer.']
  if (error instanceof ProtocolError) return ['protocol', `It answered with an error: ${error.message.slice(0, 300)}`]
  if (error instanceof TypeError || isNamed(error, 'TypeError')) return unknownFault(error)
  return ['protocol', `It does not speak the protocol as expected. ${messageOf(error).slice(0, 300)}`]
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}

function classifyStatus(status: number, server: McpServer): [McpErrorKind, string] {
  if (status === 401) return unauthorized(server)
  if (status === 403) return ['authorization', 'It refused access (403).']
  if (status >= 300 && status < 400)
    return [
      'connection',
      'It sent us on to another address, which was not followed: keys stay with the address that they are for.',
    ]
  if (status === 404 || status === 405)
    return ['protocol', `There is no tool server of this kind at that address (${status}).`]
  return ['connection', `It answered with HTTP status ${status}.`]
}

function unauthorized(server: McpServer): [McpErrorKind, string] {
  const hasKey = server.transport !== 'stdio' && server.auth.strategy !== 'none' && server.auth.strategy !== 'oauth2'
  return hasKey ? ['authorization', 'It refused the key (401).'] : ['sign_in', 'It wants somebody to sign in.']
}

function unreached({ problem, message }: OutboundError): [McpErrorKind, string] {
  if (problem === 'timeout') return ['timeout', message]
  return [problem === 'too-large' || problem === 'not-http' ? 'protocol' : 'connection', message]
}

function unknownFault(error: unknown): [McpErrorKind, string] {
  return ['connection', `It could not be reached. ${messageOf(error).slice(0, 200)}`]
}
