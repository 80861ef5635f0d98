import type { SandboxStats } from '../api/v1/sandbox/sandboxes.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { type Sandbox, statusOf } from './state.ts'

/** What a sandbox uses now; null for what does not run. */
export async function statsOf(
  sandbox: Sandbox | undefined,
  connection: Pick<EngineConnection, 'engine'>,
): Promise<SandboxStats | null> {
  if (sandbox?.kind !== 'container' || statusOf(sandbox) !== 'RUNNING') return null
  try {
    const stats = await connection.engine().containerStats(sandbox.container.id)
    return {
      sandbox_id: sandbox.id,
      cpu_percent: stats.cpuPercent,
      memory_bytes: stats.memoryBytes,
      memory_limit_bytes: stats.memoryLimitBytes,
      processes: stats.pids,
    }
  } catch {
    // It stopped in the meantime.
    return null
  }
}
