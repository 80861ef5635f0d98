import { type AppError, isAppError } from '../../domain/errors.ts'
import { LegacyError } from '../mount/errors.ts'

interface Refusal {
  status: number
  body: unknown
}

/** Does the work, and answers its refusals in an older shape; undefined keeps the newer one. */
export async function withLegacyRefusal<T>(
  work: () => T | Promise<T>,
  toRefusal: (error: AppError) => Refusal | undefined,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = isAppError(error) && error.code !== 'invalid_id' ? toRefusal(error) : undefined
    if (refusal) throw new LegacyError(refusal.status, refusal.body, error)
    throw error
  }
}

/** The older answer when there is no such conversation. */
export function conversationNotFound(error: AppError, body: object): Refusal | undefined {
  return error.code === 'conversation_not_found'
    ? { status: 404, body: { status: 'error', message: error.message, ...body } }
    : undefined
}

/** Work in a conversation that has begun. */
export function inConversation<T>(
  { conversation_id }: { conversation_id: string },
  work: (id: string) => T | Promise<T>,
  otherwise: (error: AppError) => Refusal | undefined = () => undefined,
): Promise<T> {
  return withLegacyRefusal(
    () => work(conversation_id),
    error =>
      error.code === 'conversation_not_found'
        ? { status: 404, body: { detail: `Conversation ${conversation_id} not found`, code: error.code } }
        : otherwise(error),
  )
}

const NOT_RUNNING = new Set(['sandbox_not_running', 'sandbox_not_found'])

/** Work on the files of its sandbox, which must run. */
export function inWorkspace<T>(params: { conversation_id: string }, work: (id: string) => T | Promise<T>): Promise<T> {
  return inConversation(params, work, error => ({
    status: NOT_RUNNING.has(error.code) ? 404 : error.status,
    body: { error: NOT_RUNNING.has(error.code) ? 'Runtime not yet initialized' : error.message },
  }))
}
