import type { Outbound } from '../outbound/outbound.ts'
import type { Engines } from '../sandbox/engine/engines.ts'

export interface Power {
  /** The computer falls asleep: calls to models end, and are made again afterwards. What runs in sandboxes stops and goes on with it. */
  suspend(): void
  resume(): void
}

export function powerOf({ outbound, engines }: { outbound: Outbound; engines: Engines }): Power {
  return {
    suspend: () => outbound.suspend(),
    resume: () => {
      outbound.resume()
      // One that went away meanwhile is missed now, and not at the next look.
      for (const { connection } of engines.all()) void connection.recheck()
    },
  }
}
