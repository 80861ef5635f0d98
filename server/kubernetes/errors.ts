import { z } from 'zod'
import type { ErrorCode } from '../api/contract/failures.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'

/** What the API server, or a node behind it, has answered in place of what was asked. */
export class ApiFailure extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.reason = reason
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
const statusBody = z.object({ reason: z.string().optional(), message: z.string().optional() })
const MAX_MESSAGE = 1000

export function failureOf(status: number, body: string): ApiFailure {
  const parsed = statusBody.safeParse(parsedJson(body))
  const { reason = '', message = '' } = parsed.success ? parsed.data : { message: body }
  return new ApiFailure(status, reason, message.trim().slice(0, MAX_MESSAGE) || `It answered with status ${status}.`)
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function isStatus(error: unknown, ...statuses: number[]): error is ApiFailure {
  return error instanceof ApiFailure && statuses.includes(error.status)
}

/** Of the system and of TLS: nobody answers there, or not who should. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM|ENOENT|ERR_STREAM_PREMATURE_CLOSE|CERT_.*|.*_CERT.*|.*SELF_SIGNED.*|ERR_TLS_.*)$/

/** Runs one call to the cluster and translates what it throws. An abort stays what it is. */
export async function translateErrors<T>(
  what: string,
  call: () => Promise<T>,
  codes: Readonly<Partial<Record<number, ErrorCode>>> = { 404: 'sandbox_not_found', 409: 'conflict' },
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw clusterError(what, error, codes)
  }
}

export function clusterError(
  what: string,
  error: unknown,
  codes: Readonly<Partial<Record<number, ErrorCode>>> = { 404: 'sandbox_not_found', 409: 'conflict' },
): Error {
  if (isAppError(error)) return error
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return isAppError(error.cause) ? error.cause : error
  }
  if (!(error instanceof ApiFailure)) return connectionError(what, error)
  const { status, message } = error
  const details = { status }
  if (status === 401) {
    const next = 'Sign in to the cluster again, for instance with a command of kubectl, then try once more.'
    return new AppError('engine_unavailable', `The cluster does not accept the credentials. ${next}`, {
      details,
      cause: error,
    })
  }
  if (status === 403) return new AppError('engine_failed', forbidden(what, message), { details, cause: error })
  if (status === 429 || status >= 500) {
    const text = `The Kubernetes cluster does not answer as it should: ${message} Atelier goes on by itself when it does.`
    return new AppError('engine_unavailable', text, { details, cause: error })
  }
  const code = codes[status] ?? 'engine_failed'
  return new AppError(code, wordsOf(what, code, message), { details, cause: error })
}

function connectionError(what: string, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (!UNREACHABLE.test(code))
    return new AppError('engine_failed', `${what} failed. ${messageOf(error)}`, { cause: error })
  const next = 'Check that the cluster runs and that this computer reaches it, for instance with “kubectl get pods”.'
  return new AppError('engine_unavailable', `The Kubernetes cluster does not answer (${code}). ${next}`, {
    cause: error,
  })
}

/** The API server says which right is missing, and for which kind; a quota is said with the same status. */
function forbidden(what: string, message: string): string {
  if (/exceeded quota/i.test(message)) {
    return `${what} failed: the quota of the namespace is used up. Delete sandboxes, or ask for a larger quota. ${message}`
  }
  if (/PodSecurity|admission webhook|denied the request|security context constraint/i.test(message)) {
    const next =
      'The namespace has to allow pods with the capability NET_ADMIN: it closes the network of a sandbox before its start.'
    return `${what} failed: the policy of the cluster refuses the pod. ${next} ${message}`
  }
  return `${what} failed: this user of the cluster may not do that. Ask who runs the cluster for the right. ${message}`
}

function wordsOf(what: string, code: ErrorCode, said: string): string {
  if (code === 'sandbox_not_found') return `${what} failed: the sandbox does not exist any more. Start a new one.`
  if (code === 'sandbox_not_running') return `${what} failed: the sandbox is not running. Resume it first.`
  return `${what} failed. The cluster says: ${said}`
}

/** For what only an engine with an image store and this machine's folders can do. */
export function notOnCluster(what: string): AppError {
  return new AppError('bad_request', `A Kubernetes cluster cannot ${what}. Choose a Docker engine in the sandbox spec.`)
}
