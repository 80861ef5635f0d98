import type { ContainerStats, ContainerWork } from '../docker/engine.ts'
import { StatsSamples } from '../docker/stats.ts'
import { AppError } from '../domain/errors.ts'
import type { CommandPlace, Commands } from './exec/commands.ts'

/** Of both versions of control groups; a container sees its own as the root of them. */
const READ = `g=/sys/fs/cgroup
first() { for f; do [ -r "$f" ] && { IFS= read -r v <"$f"; echo "$v"; return; }; done; echo; }
if [ -r $g/cpu.stat ] && [ -r $g/memory.current ]; then
  while read -r k v; do [ "$k" = usage_usec ] && echo "\${v}000"; done <$g/cpu.stat
else first $g/cpuacct/cpuacct.usage $g/cpu,cpuacct/cpuacct.usage; fi
first $g/memory.current $g/memory/memory.usage_in_bytes
first $g/memory.max $g/memory/memory.limit_in_bytes
first $g/pids.current $g/pids/pids.current
c=0; for f in $g/memory.stat $g/memory/memory.stat; do [ -r $f ] || continue
  while read -r k v; do case $k in inactive_file|total_inactive_file) c=$v;; esac; done <$f; done; echo $c
t=0; while read -r n r p e d f c m m2 s rest; do case $n in lo:|*\\||face*) ;; *:) t=$((t+r+s));; esac; done </proc/net/dev; echo $t`

const LIMIT_MS = 5000
const MAX_SAID = 500

/** A container without a limit has one that no machine has. */
const NO_LIMIT = 2 ** 60

interface Reading {
  takenAt: number
  cpuNanoseconds: number
  memoryBytes: number
  memoryLimitBytes: number
  pids: number
  networkBytes: number
}

/** What containers take. */
export class ClusterStats {
  readonly #commands: Commands
  readonly #samples = new StatsSamples<Reading>()

  constructor(commands: Commands) {
    this.#commands = commands
  }

  async stats(place: CommandPlace): Promise<ContainerStats> {
    const { before, now } = await this.#samples.pair(place.id, () => readStats(this.#commands, place))
    const { memoryBytes, memoryLimitBytes, pids } = now
    return { cpuPercent: cpuPercent(before, now), memoryBytes, memoryLimitBytes, pids }
  }

  async work(place: CommandPlace): Promise<ContainerWork> {
    const { cpuNanoseconds, networkBytes } = await readStats(this.#commands, place)
    return { cpuMilliseconds: cpuNanoseconds / 1e6, networkBytes }
  }

  forget(id: string): void {
    this.#samples.forget(id)
  }
}

async function readStats(commands: Commands, place: CommandPlace): Promise<Reading> {
  const { exitCode, stdout, stderr } = await commands.runWithin(LIMIT_MS, place, {
    argv: ['/bin/sh', '-c', READ],
    cwd: '/',
  })
  const takenAt = Date.now()
  if (exitCode !== 0)
    throw new AppError('engine_failed', `Measuring the sandbox failed. ${stderr.trim().slice(0, MAX_SAID)}`)
  const [cpu = 0, used = 0, limit = 0, pids = 0, cache = 0, network = 0] = stdout
    .split('\n')
    .map(line => Number(line) || 0)
  return {
    takenAt,
    cpuNanoseconds: cpu,
    memoryBytes: Math.max(0, used - cache),
    memoryLimitBytes: limit > NO_LIMIT ? 0 : limit,
    pids,
    networkBytes: network,
  }
}

/** 100 is one processor in full use. */
function cpuPercent(before: Reading, now: Reading): number {
  const time = (now.takenAt - before.takenAt) * 1e6
  const cpu = now.cpuNanoseconds - before.cpuNanoseconds
  return time > 0 && cpu > 0 ? Math.round((cpu / time) * 1000) / 10 : 0
}
