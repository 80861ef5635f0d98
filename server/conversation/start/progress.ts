import type { StartProgress } from '../../sandbox/boot.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { StepReport } from './work.ts'

/** What the start of a sandbox says, as the start of its conversation shows it. */
export function toReport(progress: StartProgress): StepReport {
  if (progress.phase !== 'image') return { detail: progress.detail, isWaiting: progress.phase === 'queue' }
  return { detail: progress.detail, progress: { done: progress.doneBytes, total: progress.totalBytes } }
}

/** Where clients of agent servers reach the sandbox; null unless it runs. */
export async function agentServerOf(
  sandboxes: Pick<SandboxService, 'batch'>,
  sandboxId: string,
): Promise<string | null> {
  const [sandbox] = await sandboxes.batch([sandboxId])
  return sandbox?.exposed_urls?.find(({ name }) => name === 'AGENT_SERVER')?.url ?? null
}
