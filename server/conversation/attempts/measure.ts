import { BOUNDS } from '../../domain/bounds.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { AttemptResult } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'

interface Dependencies {
  sandboxes: Pick<SandboxService, 'open'>
  checkpoints: Pick<Checkpoints, 'changes'>
  mask: Pick<Mask, 'mask' | 'stream'>
}

/**
 * What a conversation has changed since it began, and what a command says of it. What cannot be found out is null, and
 * `detail` says why.
 * @throws AppError engine_unavailable, sandbox_not_running: it is to be found out later; and the signal's reason
 */
export async function measure(
  conversation: Conversation,
  check: string | null,
  { sandboxes, checkpoints, mask }: Dependencies,
  signal: AbortSignal,
): Promise<Omit<AttemptResult, 'steps'>> {
  try {
    const changes = await checkpoints.changes(conversation, signal)
    if (check === null) return { changes, check: null, detail: null }
    const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
    const end = new TextEnd(BOUNDS.attemptCheckOutput.limit)
    // Before it is cut: of a value that is cut off, no mask would find the rest.
    const masked = mask.stream()
    const { exitCode } = await sandbox.exec({
      argv: ['/bin/sh', '-c', `exec 2>&1\n${check}`],
      cwd: sandbox.workingDir,
      // A person wrote it, and it may leave programs behind.
      isForeign: true,
      timeoutMs: BOUNDS.attemptCheck.limit,
      onOutput: text => end.add(masked.push(text)),
      signal,
    })
    end.add(masked.flush())
    return { changes, check: { exit_code: exitCode, output: end.text }, detail: null }
  } catch (error) {
    signal.throwIfAborted()
    if (isAppError(error, 'engine_unavailable') || isAppError(error, 'sandbox_not_running')) throw error
    return { changes: null, check: null, detail: mask.mask(messageOf(error)) }
  }
}

/** The last characters of a text that comes in pieces. */
class TextEnd {
  readonly #length: number
  #kept = ''

  constructor(length: number) {
    this.#length = length
  }

  add(piece: string): void {
    this.#kept += piece
    if (this.#kept.length > 2 * this.#length) this.#kept = this.#kept.slice(-this.#length)
  }

  get text(): string {
    return this.#kept.slice(-this.#length)
  }
}
