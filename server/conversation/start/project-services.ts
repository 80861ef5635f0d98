import type { RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import { messageOf } from '../../domain/errors.ts'
import type { SandboxServices } from '../../sandbox/services/services.ts'
import { sha256 } from '../../trust/content.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import type { StartStepContext } from './work.ts'

interface Dependencies {
  trust: Pick<RepositoryTrust, 'isTrusted'>
  sandboxServices: Pick<SandboxServices, 'startAll'>
}

/**
 * In the start of a conversation. What fails is said, and the start goes on.
 * @returns digest of the item with which all of them work
 * @throws the signal's reason
 */
export async function startServicesOfTrusted(
  { trust, sandboxServices }: Dependencies,
  place: { sandboxId: string; folder: string; repository: string; items: readonly RepositoryItem[] },
  { report, signal }: Pick<StartStepContext, 'report' | 'signal'>,
): Promise<string | null> {
  const item = place.items.find(({ role }) => role === 'services')
  if (!item || !trust.isTrusted(place.repository, item)) return null
  const said = { report: (detail: string) => report({ detail }), signal }
  const { ok, outcome } = await startTrustedServices(sandboxServices, { ...place, item }, said)
  report({ detail: outcome })
  return ok ? item.sha256 : null
}

/**
 * Starts the services of a repository as a person trusts them: its images come over the engine's own network, whatever the
 * sandbox may reach, so that their names are not to be an agent's.
 * @returns how it ended, as a sentence, and whether all of them work
 * @throws the signal's reason
 */
export async function startTrustedServices(
  services: Pick<SandboxServices, 'startAll'>,
  { sandboxId, folder, item }: { sandboxId: string; folder: string; item: RepositoryItem },
  { report, signal }: { report: (detail: string) => void; signal: AbortSignal },
): Promise<{ ok: boolean; outcome: string }> {
  const trusted = new Map(item.files.map(file => [file.path, file.sha256]))
  const isTrusted = (files: readonly { path: string; content: Buffer }[]) =>
    files.every(({ path, content }) => trusted.get(path) === sha256(content))
  try {
    const problems = await services.startAll(sandboxId, folder, { isTrusted, report, signal })
    if (problems.length === 0) return { ok: true, outcome: `The services in ${item.path} are running.` }
    return { ok: false, outcome: `Some services in ${item.path} do not work. ${problems.join(' ')}` }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, outcome: `The services in ${item.path} could not be started. ${messageOf(error)}` }
  }
}
