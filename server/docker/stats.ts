import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ContainerStats, ContainerWork } from './engine.ts'

/** One reading. CPU time is cumulative, so that a percentage needs two. */
export interface Sample {
  takenAt: number
  /** nanoseconds of the container, and of all processors together */
  cpu: number
  system: number
  cpus: number
  stats: Omit<ContainerStats, 'cpuPercent'>
}

export function sampleOf(reading: Docker.ContainerStats, takenAt: number): Sample {
  const memory = reading.memory_stats
  // cgroup v1 names it total_inactive_file, v2 inactive_file: cache that goes when memory is needed, as `docker stats` has it.
  const cache = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0
  return {
    takenAt,
    cpu: reading.cpu_stats.cpu_usage.total_usage,
    system: reading.cpu_stats.system_cpu_usage ?? 0,
    cpus: reading.cpu_stats.online_cpus || 1,
    stats: {
      memoryBytes: Math.max(0, (memory.usage ?? 0) - cache),
      memoryLimitBytes: memory.limit ?? 0,
      pids: reading.pids_stats?.current ?? 0,
    },
  }
}

export function workOf(reading: Docker.ContainerStats): ContainerWork {
  const networks = Object.values(reading.networks ?? {})
  return {
    cpuMilliseconds: reading.cpu_stats.cpu_usage.total_usage / 1e6,
    networkBytes: networks.reduce((sum, { rx_bytes, tx_bytes }) => sum + rx_bytes + tx_bytes, 0),
  }
}

/** A percentage over less is noise, over more is history. */
const SAMPLE_GAP_MS = 200
const SAMPLE_AGE_MS = 30_000

/** The last reading of each container: a share of the processors needs two, some time apart. */
export class StatsSamples<T extends { takenAt: number }> {
  readonly #last = new Map<string, T>()

  async pair(id: string, read: () => Promise<T>): Promise<{ before: T; now: T }> {
    const known = this.#last.get(id)
    const isFresh = known && Date.now() - known.takenAt < SAMPLE_AGE_MS
    const before = isFresh ? known : await read()
    const age = Date.now() - before.takenAt
    if (age < SAMPLE_GAP_MS) await delay(SAMPLE_GAP_MS - age)
    const now = await read()
    this.#last.set(id, now)
    return { before, now }
  }

  forget(id: string): void {
    this.#last.delete(id)
  }
}

/** 100 is one processor in full use. */
export function cpuPercent(before: Sample, now: Sample): number {
  const system = now.system - before.system
  const cpu = now.cpu - before.cpu
  return system > 0 && cpu > 0 ? Math.round((cpu / system) * now.cpus * 1000) / 10 : 0
}
