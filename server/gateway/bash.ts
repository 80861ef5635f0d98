import type { BashCommand, BashEvent, BashOutput, ExecuteBashRequest } from '../api/gateway-bash.ts'
import { messageOf } from '../errors.ts'
import { newEventId } from '../ids.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { Access } from './access.ts'
import { BashHistory } from './bash-history.ts'
import type { GatewaySandboxes } from './sandboxes.ts'
import { localTime } from './wire.ts'

/** An output event holds this much of either stream at most. */
const CHUNK_BYTES = 2 ** 20

/**
 * Commands of clients in a sandbox, each in a shell of its own, apart from the agent's terminal. What they said is kept in
 * memory, the newest first to stay, until Atelier closes.
 */
export class BashService {
  readonly #sandboxes: GatewaySandboxes
  readonly #histories = new Map<string, BashHistory>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(sandboxes: GatewaySandboxes) {
    this.#sandboxes = sandboxes
  }

  /** What was run in the caller's sandbox. */
  async history(access: Access, signal: AbortSignal): Promise<BashHistory> {
    return this.#historyOf(await this.#sandboxes.running(access, signal))
  }

  /** Returns when the command has begun. @throws AppError sandbox_not_running */
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
  }

  async #begin(access: Access, request: ExecuteBashRequest, signal: AbortSignal) {
    const sandbox = await this.#sandboxes.open(access, signal)
    const history = this.#historyOf(sandbox.id)
    const command: BashCommand = {
      kind: 'BashCommand',
      ...stamp(),
      command: request.command,
      cwd: request.cwd ?? null,
      timeout: request.timeout,
    }
    history.add(command)
    const ended = this.#run(sandbox, command, history)
    this.#running.add(ended)
    ended.finally(() => this.#running.delete(ended))
    return { command, ended }
  }

  /** Never rejects: what goes wrong is the command's last output. */
  async #run(sandbox: SandboxHandle, command: BashCommand, history: BashHistory): Promise<BashOutput> {
    const output = new OutputOf(command.id, history)
    try {
      const { exitCode } = await sandbox.exec({
        argv: ['/bin/sh', '-c', SHELL, 'sh', command.command],
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

  #historyOf(sandboxId: string): BashHistory {
    const history = this.#histories.get(sandboxId) ?? new BashHistory()
    this.#histories.set(sandboxId, history)
    return history
  }
}

/** bash where the image has it. */
const SHELL = 'if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi'

/** Collects what a command says into events. */
class OutputOf {
  readonly #commandId: string
  readonly #history: BashHistory
  readonly #texts = { stdout: '', stderr: '' }
  #order = 0

  constructor(commandId: string, history: BashHistory) {
    this.#commandId = commandId
    this.#history = history
  }

  add(text: string, from: 'stdout' | 'stderr'): void {
    this.#texts[from] += text
    if (this.#texts[from].length >= CHUNK_BYTES) this.#flush(null)
  }

  end(exitCode: number): BashOutput {
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
