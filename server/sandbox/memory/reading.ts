import type { MemoryKills } from '../../domain/memory-kills.ts'
import { type CommandPlace, runCommand } from '../command/command.ts'

/** A sandbox whose memory is used up may not even start a shell. */
const READ_MS = 3000

/**
 * The sandbox's own control group, in the forms of both versions; builtins only. An engine may send an event for it as
 * well, but many send none, and none says it in order with the end of a command.
 */
const READ = `
for f in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r "$f" ] || continue
  while read -r name value; do [ "$name" = oom_kill ] && echo "kills $value"; done <"$f"
done
for f in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
  [ -r "$f" ] && read -r value <"$f" && echo "limit $value"
done
exit 0`

/** What version 1 says where there is no limit is about 2^63. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER

/** null where it cannot be read. Never rejects. */
export async function readMemoryKills(place: CommandPlace): Promise<MemoryKills | null> {
  try {
    const { stdout } = await runCommand(place, { argv: ['/bin/sh', '-c', READ], cwd: '/', timeoutMs: READ_MS })
    return memoryKillsIn(stdout)
  } catch {
    // It stopped, or its engine did: there is nothing to say about memory then.
    return null
  }
}

/** A program in the sandbox may have written anything there. */
export function memoryKillsIn(text: string): MemoryKills | null {
  const count = Number(/^kills (\d{1,9})$/m.exec(text)?.[1])
  const limit = Number(/^limit (\d{1,19})$/m.exec(text)?.[1])
  if (Number.isNaN(count)) return null
  return { count, limitBytes: limit > 0 && limit < MAX_BYTES ? limit : null }
}
