import type { UpdateProblem, UpdateProblemCode } from '../ipc.ts'

/** Why a step of an update failed. The message is for people who look closer, in English. */
export class UpdateError extends Error {
  readonly code: UpdateProblemCode

  constructor(code: UpdateProblemCode, message: string | null, cause?: unknown) {
    super(message ?? '', { cause })
    this.name = 'UpdateError'
    this.code = code
  }
}

/** @param otherwise what it is when nothing better is known of it */
export function problemOf(error: unknown, otherwise: UpdateProblemCode): UpdateProblem {
  const code = codeIn(error) ?? otherwise
  const message = error instanceof Error ? error.message : String(error)
  return { code, detail: message === '' ? null : message.slice(0, 2_000) }
}

function codeIn(error: unknown): UpdateProblemCode | undefined {
  if (error instanceof UpdateError) return error.code
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'not_permitted'
  return undefined
}
