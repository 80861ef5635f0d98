import { setMaxListeners } from 'node:events'
import type { BashCommand, BashEvent, BashOutput, ExecuteBashRequest } from '../../api/agent-server/bash.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { newEventId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Mask, MaskStream } from '../../secret/mask/mask.ts'
import type { Access } from '../access.ts'
import { localTime } from '../event/wire.ts'
import type { GatewaySandboxes } from '../sandboxes.ts'
import type { BashHistories } from './histories.ts'
import type { BashHistory } from './history.ts'

/** An output event holds this much of either stream at most. */
const CHUNK_CHARACTERS = 2 ** 20

interface Dependencies {
  sandboxes: Pick<GatewaySandboxes, 'open' | 'running'>
  histories: BashHistories
  mask: Pick<Mask, 'mask' | 'stream'>
}

/**
 * Commands of clients in a sandbox, each in a shell of its own, apart from the agent's terminal. What they print is masked
 * and kept in memory, the newest first to stay, until the sandbox is deleted or Atelier closes.
 */
export class BashService {
  readonly #dependencies: Dependencies
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    // Each running command listens to it, and BOUNDS.bashCommands says how many there are.
    setMaxListeners(0, this.#closing.signal)
  }

  /** What was run in the caller's sandbox. */
  async history(access: Access, signal: AbortSignal): Promise<BashHistory> {
    const { sandboxes, histories } = this.#dependencies
    return histories.of(await sandboxes.running(access, signal))
  }

  /** Returns when the command has begun. @throws AppError sandbox_not_running, too_many_requests */
  async start(access: Access, request: ExecuteBashRequest, signal: AbortSignal): Promise<BashCommand> {
    const { command } = await this.#begin(access, request, signal)
    return command
  }

  /** The last output, with the exit code. */
  async execute(access: Access, request: ExecuteBashRequest, signal: AbortSignal): Promise<BashOutput> {
    const { ended } = await this.#begin(access, request, signal)
    return ended
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled([...this.#running])
    this.#dependencies.histories.close()
  }

  async #begin(access: Access, request: ExecuteBashRequest, signal: AbortSignal) {
    const { sandboxes, histories, mask } = this.#dependencies
    const sandbox = await sandboxes.open(access, signal)
    if (this.#running.size >= BOUNDS.bashCommands.limit) {
      throw new AppError(
        'too_many_requests',
        `${BOUNDS.bashCommands.limit} commands run already. Wait until one of them has ended.`,
      )
    }
    const history = histories.of(sandbox.id)
    const command: BashCommand = {
      kind: 'BashCommand',
      ...stamp(),
      command: mask.mask(request.command),
      cwd: request.cwd ?? null,
      timeout: request.timeout,
    }
    history.add(command)
    const ended = this.#run(sandbox, command, { script: request.command, history })
    this.#running.add(ended)
    ended.finally(() => this.#running.delete(ended))
    return { command, ended }
  }

  /** Never rejects: what goes wrong is the command's last output. */
  async #run(
    sandbox: SandboxHandle,
    command: BashCommand,
    { script, history }: { script: string; history: BashHistory },
  ): Promise<BashOutput> {
    const output = new OutputOf(command.id, history, this.#dependencies.mask)
    try {
      const { exitCode } = await sandbox.exec({
        argv: ['/bin/sh', '-c', SHELL, 'sh', script],
        isForeign: true,
        ...(command.cwd !== null && { cwd: command.cwd }),
        timeoutMs: command.timeout * 1000,
        maxBytes: 0,
        signal: this.#closing.signal,
        onOutput: (text, from) => output.add(text, from),
      })
      return output.end(exitCode)
    } catch (error) {
      output.add(messageOf(error), 'stderr')
      return output.end(-1)
    }
  }
}

/** bash where the image has it. */
const SHELL = 'if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi'

/** Collects what a command prints into events, masked. */
class OutputOf {
  readonly #commandId: string
  readonly #history: BashHistory
  readonly #masks: Record<'stdout' | 'stderr', MaskStream>
  readonly #texts = { stdout: '', stderr: '' }
  #order = 0

  constructor(commandId: string, history: BashHistory, mask: Pick<Mask, 'stream'>) {
    this.#commandId = commandId
    this.#history = history
    this.#masks = { stdout: mask.stream(), stderr: mask.stream() }
  }

  add(text: string, from: 'stdout' | 'stderr'): void {
    this.#texts[from] += this.#masks[from].push(text)
    if (this.#texts[from].length >= CHUNK_CHARACTERS) this.#flush(null)
  }

  end(exitCode: number): BashOutput {
    this.#texts.stdout += this.#masks.stdout.flush()
    this.#texts.stderr += this.#masks.stderr.flush()
    return this.#flush(exitCode)
  }

  #flush(exitCode: number | null): BashOutput {
    const { stdout, stderr } = this.#texts
    const event: BashOutput = {
      kind: 'BashOutput',
      ...stamp(),
      command_id: this.#commandId,
      order: this.#order++,
      exit_code: exitCode,
      stdout: stdout || null,
      stderr: stderr || null,
    }
    this.#texts.stdout = ''
    this.#texts.stderr = ''
    this.#history.add(event)
    return event
  }
}

function stamp(): Pick<BashEvent, 'id' | 'timestamp'> {
  return { id: newEventId(), timestamp: localTime(new Date().toISOString()) }
}
