import { z } from 'zod'
import { CONTAINER_STATUSES } from '../../docker/engine.ts'
import { messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { SandboxStates } from '../../store/sandbox/states.ts'
import type { Sandbox } from '../state.ts'

const stored = z.object({
  id: z.string(),
  specId: z.string(),
  createdAt: z.string(),
  container: z.object({
    id: z.string(),
    name: z.string(),
    image: z.string(),
    status: z.enum(CONTAINER_STATUSES),
    exitCode: z.number().optional(),
    createdAt: z.string(),
    startedAt: z.string().default(''),
    networks: z.array(z.string()).default([]),
    labels: z.record(z.string(), z.string()),
    ports: z.record(z.coerce.number(), z.number()),
    outOfMemory: z.boolean().optional(),
    error: z.string().optional(),
  }),
})

/** The sandboxes as the engine last had them, kept over the end of this process. */
export class LastKnown {
  readonly #states: SandboxStates
  readonly #log: Log

  constructor(states: SandboxStates, log: Log) {
    this.#states = states
    this.#log = log
  }

  /** A row that cannot be read is left out: the engine tells of its sandbox when it answers. */
  read(): Map<string, Sandbox> {
    const rows = this.#states.all().flatMap((text): Sandbox[] => {
      const parsed = stored.safeParse(parseJson(text))
      return parsed.success ? [toSandbox(parsed.data)] : []
    })
    return new Map(rows.map(sandbox => [sandbox.id, sandbox]))
  }

  /** Only what the engine says is kept. Never throws: it is a convenience, and the disk may be full. */
  keep(id: string, sandbox: Sandbox | undefined): void {
    try {
      if (sandbox === undefined) this.#states.remove(id)
      else if (sandbox.kind === 'container') this.#states.save(id, JSON.stringify(sandbox))
    } catch (error) {
      this.#log.warn({ sandbox: id, error: messageOf(error) }, 'the state of a sandbox could not be stored')
    }
  }
}

function toSandbox({ container, ...known }: z.output<typeof stored>): Sandbox {
  const { exitCode, outOfMemory, error, ...rest } = container
  return {
    ...known,
    kind: 'unreachable',
    container: {
      ...rest,
      exitCode,
      ...(outOfMemory !== undefined && { outOfMemory }),
      ...(error !== undefined && { error }),
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
