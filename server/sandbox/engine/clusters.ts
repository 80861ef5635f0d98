import { hostname, userInfo } from 'node:os'
import type { AvailableEngine, EngineAddress } from '../../api/v1/system/engines.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { step } from '../../docker/advice.ts'
import type { Machine } from '../../docker/candidates.mjs'
import { copyOf } from '../../docker/container/labels.ts'
import type { EngineSearch } from '../../docker/socket.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { openClusterEngine } from '../../kubernetes/cluster-engine.ts'
import { clusterContexts, kubeconfigPaths } from '../../kubernetes/contexts.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { isBuiltImage, isDevContainerImage, isSavedImage } from '../build/image-names.ts'
import { closedRules } from '../network/rules.ts'
import { SANDBOX } from '../spec.ts'

const FIRST_ANSWER_MS = 10_000
/** A user of the kubeconfig may be a program that asks somebody to sign in. */
const RETRY_MS = 30_000

/** Contexts of the kubeconfig of this machine. */
export async function availableClusters(machine: Machine): Promise<AvailableEngine[]> {
  const contexts = await clusterContexts(machine, BOUNDS.clusterContexts.limit)
  return contexts.map(({ name, server }) => ({
    name,
    host: server ?? name,
    address: { kind: 'kubernetes', context: name, namespace: null, image: null, image_pull_secrets: [] },
  }))
}

/** @throws AppError bad_request in words */
export async function requireContext(name: string, machine: Machine): Promise<void> {
  const contexts = await clusterContexts(machine, Number.POSITIVE_INFINITY)
  if (contexts.some(context => context.name === name)) return
  const message = `The kubeconfig has no context ${name}. "kubectl config get-contexts" lists those that there are.`
  throw new AppError('bad_request', message)
}

/** As `account@computer`. */
function accountHere(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A user that has only a number.
    return `${process.getuid?.() ?? ''}@${hostname()}`
  }
}

/** Of images that no registry has. */
export function isMade(reference: string): boolean {
  const isOther = copyOf(reference) !== undefined || isBuiltImage(reference)
  return isOther || isSavedImage(reference) || isDevContainerImage(reference)
}

/**
 * Asks the cluster of an engine that a person added. As `findAddedEngine`.
 * @param ownImage the bundled one, whose programs set the rules of a network
 */
export async function findCluster(
  name: string,
  { context, namespace, image, image_pull_secrets }: Extract<EngineAddress, { kind: 'kubernetes' }>,
  { machine, signal, ownImage }: { machine: Machine; signal: AbortSignal; ownImage: string | null },
): Promise<EngineSearch> {
  await requireContext(context, machine)
  const engine = await openClusterEngine({
    kubeconfigPaths: kubeconfigPaths(machine),
    context,
    namespace,
    closing: ['nft', closedRules()],
    ownImage: ownImage === null ? null : { name: ownImage, reference: image, pullSecrets: image_pull_secrets },
    capabilities: SANDBOX.capabilities,
    owner: accountHere(),
    isMade,
  })
  const timeout = timeLimit(FIRST_ANSWER_MS)
  try {
    return { kind: 'found', engine, info: await engine.info(AbortSignal.any([signal, timeout])) }
  } catch (error) {
    await engine.close()
    signal.throwIfAborted()
    const said = timeout.aborted ? `it did not answer within ${FIRST_ANSWER_MS / 1000} seconds` : messageOf(error)
    const steps = [step('check_cluster', `kubectl --context ${shellQuote(context)} get pods`)]
    return { kind: 'none', reason: `The cluster "${name}" cannot be used: ${said}`, steps, retryMs: RETRY_MS }
  }
}
