import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { RouteReply } from '../api/contract/route.ts'
import type { getServerInfo } from '../api/legacy/options.ts'

type ServerInfo = RouteReply<typeof getServerInfo>

/** What the service's own process uses of this machine. */
export class Usage {
  readonly #dataDir: string
  #last = { at: performance.now(), cpu: process.cpuUsage() }
  #cpuPercent = 0

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async read(): Promise<ServerInfo> {
    const { rss, heapTotal, external } = process.memoryUsage()
    const { fsRead, fsWrite } = process.resourceUsage()
    const disk = await statfs(this.#dataDir)
    const total = disk.blocks * disk.bsize
    const free = disk.bavail * disk.bsize
    const used = total - disk.bfree * disk.bsize
    return {
      uptime: process.uptime(),
      idle_time: 0,
      resources: {
        cpu_percent: this.#cpu(),
        memory: { rss, vms: heapTotal + external, percent: (rss / totalmem()) * 100 },
        disk: { total, used, free, percent: total === 0 ? 0 : (used / total) * 100 },
        io: { read_bytes: fsRead * BLOCK_BYTES, write_bytes: fsWrite * BLOCK_BYTES },
      },
    }
  }

  /** Since it was asked last; asking again at once answers the same. */
  #cpu(): number {
    const now = performance.now()
    const elapsed = now - this.#last.at
    if (elapsed < MIN_INTERVAL_MS) return this.#cpuPercent
    const cpu = process.cpuUsage()
    const busy = cpu.user + cpu.system - this.#last.cpu.user - this.#last.cpu.system
    this.#cpuPercent = busy / 10 / elapsed
    this.#last = { at: now, cpu }
    return this.#cpuPercent
  }
}

/** getrusage(2) counts blocks of this size. */
const BLOCK_BYTES = 512
const MIN_INTERVAL_MS = 100
