import { z } from 'zod'
import { createMutex, type Mutex } from '../../async/mutex.ts'
import type { ContainerState } from '../../docker/engine.ts'
import type { CommonContainer } from './common-container.ts'
import { REFUSED_SETS } from './rules.ts'

/** TCP connections that the rules of a sandbox refused, to one address and port. */
export interface RefusedConnection {
  address: string
  port: number
  /** Since they were read before. */
  count: number
  /** Of the last of them; the kernel tells whole seconds. */
  secondsAgo: number
}

/** As `nft -j` prints an element of a set with a counter: https://manpages.debian.org/bookworm/libnftables1/libnftables-json.5.en.html */
const element = z.object({
  elem: z.object({
    val: z.object({ concat: z.tuple([z.string(), z.int()]) }),
    counter: z.object({ packets: z.int().min(0) }),
    timeout: z.number(),
    expires: z.number(),
  }),
})
const printedSets = z.object({
  nftables: z.array(
    z.object({ set: z.object({ name: z.string(), elem: z.array(z.unknown()).default([]) }).optional() }),
  ),
})

/**
 * What the rules of sandboxes refuse. The kernel counts it in sets of their network namespaces, so that nothing has to run for
 * it; it is read when somebody asks.
 */
export class RefusedConnections {
  readonly #common: Pick<CommonContainer, 'readRules'>
  /** Each is looked at once at a time. */
  readonly #turns = new Map<string, Mutex>()
  /** Of each sandbox what was counted when it was read last. */
  readonly #counted = new Map<string, ReadonlyMap<string, number>>()

  constructor(common: Pick<CommonContainer, 'readRules'>) {
    this.#common = common
  }

  /** Those since the last time; none where nobody can look into the sandbox from outside. One look at a time is counted. */
  read(sandbox: Pick<ContainerState, 'id' | 'pid' | 'name'>): Promise<RefusedConnection[]> {
    const turn = this.#turns.get(sandbox.name) ?? createMutex()
    this.#turns.set(sandbox.name, turn)
    return turn(() => this.#read(sandbox))
  }

  async #read({ id, pid, name }: Pick<ContainerState, 'id' | 'pid' | 'name'>): Promise<RefusedConnection[]> {
    if (pid === undefined) return []
    const printed = await this.#common.readRules({ id, pid }, 'list sets table inet atelier')
    if (printed === undefined) return []
    const before = this.#counted.get(name)
    const found = parseRefused(printed)
    this.#counted.set(name, new Map(found.map(each => [keyOf(each), each.count])))
    return found.flatMap(each => {
      const known = before?.get(keyOf(each)) ?? 0
      const count = each.count < known ? each.count : each.count - known
      return count > 0 ? [{ ...each, count }] : []
    })
  }

  /** Its rules are new, and count from nothing. */
  rulesSet(name: string): void {
    this.#counted.delete(name)
  }

  forget(name: string): void {
    this.#counted.delete(name)
    this.#turns.delete(name)
  }
}

function keyOf({ address, port }: Pick<RefusedConnection, 'address' | 'port'>): string {
  return `${address} ${port}`
}

/** Of rules of an older version, which count nothing, there is nothing. */
export function parseRefused(printed: string): RefusedConnection[] {
  const { data } = printedSets.safeParse(jsonOf(printed))
  return (data?.nftables ?? []).flatMap(({ set }) => {
    if (!set || !REFUSED_SETS.includes(set.name)) return []
    return set.elem.flatMap(each => {
      const read = element.safeParse(each).data?.elem
      if (!read) return []
      const [address, port] = read.val.concat
      return [{ address, port, count: read.counter.packets, secondsAgo: secondsSince(read) }]
    })
  })
}

/** The rest is cut to whole seconds: what has just happened must not look older. */
function secondsSince({ timeout, expires }: { timeout: number; expires: number }): number {
  return Math.max(0, timeout - expires - 1)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
