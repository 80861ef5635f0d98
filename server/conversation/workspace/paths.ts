import { posix } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'

/** A relative path begins in the working directory. Without a slash at its end. */
export function absolutePath(sandbox: SandboxHandle, path: string): string {
  return posix.resolve(sandbox.workingDir, path)
}

/** @throws AppError bad_request for what everything else stands in */
export function assertMovable(sandbox: SandboxHandle, path: string): void {
  const isAbove = path === '/' || sandbox.workingDir === path || sandbox.workingDir.startsWith(`${path}/`)
  if (isAbove) {
    throw new AppError('bad_request', `${path} is the working directory, or holds it. It has to stay where it is.`)
  }
}

const MAX_REASON = 500

/** What a program in the sandbox said about why it failed. */
export function failed(what: string, stderr: string, code: 'bad_request' | 'command_failed' = 'bad_request'): AppError {
  const reason = stderr.trim().slice(-MAX_REASON) || 'no reason was given'
  return new AppError(code, `${what}: ${reason}`)
}

export function nothingAt(path: string): AppError {
  return new AppError('file_not_found', `There is nothing at ${path} in the sandbox. Refresh the list.`)
}

export function takenBy(path: string): AppError {
  return new AppError('conflict', `There is something at ${path} already. Choose another name.`)
}
