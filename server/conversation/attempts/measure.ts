import { BOUNDS } from '../../domain/bounds.ts'
import { messageOf } from '../../domain/errors.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { AttemptResult } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'

interface Dependencies {
  sandboxes: Pick<SandboxService, 'open'>
  checkpoints: Pick<Checkpoints, 'changes'>
  mask: Pick<Mask, 'mask'>
}

/**
 * What a conversation has changed since it began, and what a command says of it. What cannot be found out is null, and
 * `detail` says why.
 */
export async function measure(
  conversation: Conversation,
  check: string | null,
  { sandboxes, checkpoints, mask }: Dependencies,
  signal: AbortSignal,
): Promise<Omit<AttemptResult, 'seq'>> {
  try {
    const changes = await checkpoints.changes(conversation, signal)
    if (check === null) return { changes, check: null, detail: null }
    const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
    // A person wrote it, and it may leave programs behind.
    const argv = ['/bin/sh', '-c', `exec 2>&1\n${check}`]
    const end = new TextEnd(BOUNDS.attemptCheckOutput.limit)
    const { exitCode } = await sandbox.exec({
      argv,
      cwd: sandbox.workingDir,
      isForeign: true,
      timeoutMs: BOUNDS.attemptCheck.limit,
      onOutput: text => end.add(text),
      signal,
    })
    return { changes, check: { exit_code: exitCode, output: mask.mask(end.text) }, detail: null }
  } catch (error) {
    signal.throwIfAborted()
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
