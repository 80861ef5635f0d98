import type { ContainerState } from '../../docker/engine.ts'
import type { CommonContainer } from './common-container.ts'
import { type OneShotOptions, runOneShot } from './one-shot.ts'

/**
 * Sets the rules of a container's network namespace. Where the common container cannot, one for this container alone joins it.
 * @throws AppError engine_failed, engine_unavailable
 */
export async function setRules(
  options: OneShotOptions,
  common: Pick<CommonContainer, 'setRules'>,
  { id, pid }: { id: string; pid: number | undefined },
  rules: string,
): Promise<void> {
  if (pid !== undefined && (await common.setRules({ id, pid }, rules))) return
  await runOneShot(options, {
    command: ['nft', rules],
    network: { of: id },
    extraHosts: [],
    capabilities: ['NET_ADMIN'],
  })
}

/** Its network namespace lasts: one that is paused without a network has none where pausing ends its processes. */
export function isUp({ status, networks }: ContainerState): boolean {
  return status === 'running' || (status === 'paused' && networks.length > 0)
}
