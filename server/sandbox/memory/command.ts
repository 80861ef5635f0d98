import { type MemoryKills, ranOutOfMemory, USE_LESS_MEMORY } from '../../domain/memory-kills.ts'
import type { CommandRequest, CommandResult } from '../../domain/sandbox-handle.ts'
import { type CommandPlace, runCommand } from '../command/command.ts'
import type { SandboxMemory } from './kills.ts'

/** As a shell has the exit code of a process that SIGKILL ended. */
const KILLED = 137

/**
 * Runs a command, and says at the end of its errors where the sandbox ran out of memory: otherwise nobody knows why it was
 * killed. A command of ours is asked about only when it was killed itself, since a lost build job shows in the exit code of
 * a person's or an agent's alone.
 */
export async function runWithMemory(
  place: CommandPlace,
  request: CommandRequest & { cwd: string },
  { id, memory }: { id: string; memory: SandboxMemory },
): Promise<CommandResult> {
  const { isForeign = false, onOutput } = request
  const known = memory.known(id, place.containerId)
  const before: Promise<MemoryKills | null> =
    known || !isForeign ? Promise.resolve(known ?? null) : memory.look(id, place)
  const result = await runCommand(place, request)
  if (result.timedOut || !(isForeign ? result.exitCode !== 0 : result.exitCode === KILLED)) return result
  const now = await memory.look(id, place)
  if (!now || now.count <= ((await before)?.count ?? 0)) return result
  const said = `${result.stderr.endsWith('\n') || result.stderr === '' ? '' : '\n'}${ranOutOfMemory(now)} ${USE_LESS_MEMORY}\n`
  onOutput?.(said, 'stderr')
  return { ...result, stderr: result.stderr + said }
}
