import type { ContainerOutcome, ContainerRequest, ContainerState, ExecRequest, ExecStream } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import type { Commands } from './exec/commands.ts'
import { NETWORK, numericUser } from './pod.ts'

interface Beside {
  request: ContainerRequest
  of: string
  createdAt: string
  startedAt: string
  /** Of what runs in it. */
  ending: AbortController
}

/**
 * Containers that join the network of another one. A pod takes no more containers once it is made: they are programs in the
 * network container of that pod, and are known here alone.
 */
export class ContainersBeside {
  readonly #commands: Commands
  readonly #inspect: (id: string) => Promise<ContainerState | undefined>
  readonly #known = new Map<string, Beside>()

  constructor(commands: Commands, inspect: (id: string) => Promise<ContainerState | undefined>) {
    this.#commands = commands
    this.#inspect = inspect
  }

  has(id: string): boolean {
    return this.#known.has(id)
  }

  create(request: ContainerRequest, of: string): string {
    const createdAt = new Date().toISOString()
    this.#known.set(request.name, { request, of, createdAt, startedAt: '', ending: new AbortController() })
    return request.name
  }

  /** What its own command does is to wait for others. @throws AppError sandbox_not_running */
  async start(id: string): Promise<void> {
    const beside = this.#get(id)
    if ((await this.#inspect(beside.of))?.status !== 'running') throw notRunning()
    beside.startedAt = new Date().toISOString()
  }

  async run(id: string, signal: AbortSignal): Promise<ContainerOutcome> {
    const { request, of, ending } = this.#get(id)
    const ended = AbortSignal.any([signal, ending.signal])
    try {
      ended.throwIfAborted()
      const argv = [...(request.entrypoint ?? []), ...request.command]
      const asked = { argv, cwd: request.workingDir, env: request.env, signal: ended }
      const outcome = await this.#commands.run(placeOf(request, of), asked)
      ended.throwIfAborted()
      if (outcome.exitCode === -1) throw new AppError('engine_failed', 'The program beside the sandbox was cut off.')
      return outcome
    } finally {
      this.#known.delete(id)
    }
  }

  async exec(id: string, request: ExecRequest): Promise<ExecStream> {
    const { request: own, of, ending } = this.#get(id)
    const signal = AbortSignal.any([ending.signal, ...(request.signal ? [request.signal] : [])])
    const user = request.user ?? own.user
    return this.#commands.start(placeOf({ ...own, ...(user !== undefined && { user }) }, of), { ...request, signal })
  }

  async inspect(id: string): Promise<ContainerState> {
    const { request, of, createdAt, startedAt } = this.#get(id)
    const target = await this.#inspect(of)
    const isUp = startedAt !== '' && target?.status === 'running'
    return {
      ...{ id, name: id, image: request.image, labels: request.labels, createdAt, startedAt },
      status: isUp ? 'running' : startedAt === '' ? 'created' : 'exited',
      exitCode: isUp || startedAt === '' ? undefined : 137,
      networks: isUp ? ['bridge'] : [],
      ports: {},
    }
  }

  /** What runs in it ends. */
  remove(id: string): void {
    this.#known.get(id)?.ending.abort()
    this.#known.delete(id)
  }

  #get(id: string): Beside {
    const beside = this.#known.get(id)
    if (beside) return beside
    throw new AppError('sandbox_not_found', 'The container beside the sandbox does not exist any more.')
  }
}

/** It has the rights of the network container only where it asks for them. */
function placeOf({ user, capabilities }: Pick<ContainerRequest, 'user' | 'capabilities'>, of: string) {
  const place = { id: of, container: NETWORK }
  const { uid, gid } = numericUser(user) ?? { uid: 0, gid: 0 }
  if (uid === 0 && capabilities.add.length > 0) return place
  const rights = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs']
  return { ...place, prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights, '--'] }
}

function notRunning(): AppError {
  return new AppError('sandbox_not_running', 'The sandbox is not running. Resume it first.')
}
