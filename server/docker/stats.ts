import type Docker from 'dockerode'
import type { ContainerStats } from './engine.ts'

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

/** 100 is one processor in full use. */
export function cpuPercent(before: Sample, now: Sample): number {
  const system = now.system - before.system
  const cpu = now.cpu - before.cpu
  return system > 0 && cpu > 0 ? Math.round((cpu / system) * now.cpus * 1000) / 10 : 0
}
