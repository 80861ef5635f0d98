import type { EngineConnection } from '../../docker/connection.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import { allowedHost, hostInSandbox } from '../../outbound/address.ts'
import { CachedNetworkContext } from '../network/context.ts'
import { createOneShot, NOBODY, type OneShotOptions, runOneShot } from '../network/one-shot.ts'
import { buildRules } from '../network/rules.ts'
import { requireKernelNetwork } from '../runtime.ts'
import { SANDBOX } from '../spec.ts'

export interface BuildNetworkOptions extends OneShotOptions {
  connection: Pick<EngineConnection, 'engine' | 'info'>
  /** Hosts that the person has opened, as `toHost` writes them. */
  allowedHosts(): readonly string[]
}

/** Of the steps of one build. `problem` says in words why they have none. */
export interface BuildNetwork {
  network: 'none' | { of: string }
  problem: string | null
  /** Never rejects. */
  close(): Promise<void>
}

/**
 * The network of a container of ours, in which nothing else runs, and in which the rules stand before a step joins it. Where
 * they cannot be set, a build has none.
 * @param lifetimeMs after that it ends by itself, and no further step can join
 * @throws AppError engine_unavailable, and what keeps our own image from being there
 */
export async function openBuildNetwork(options: BuildNetworkOptions, lifetimeMs: number): Promise<BuildNetwork> {
  const { connection } = options
  const engine = connection.engine()
  const { id, remove } = await createOneShot(options, {
    command: ['/bin/sleep', String(Math.ceil(lifetimeMs / 1000))],
    network: 'bridge',
    extraHosts: [...SANDBOX.extraHosts],
    capabilities: [],
    user: NOBODY,
  })
  try {
    await engine.startContainer(id)
    await setRules(options, id)
    return { network: { of: id }, problem: null, close: remove }
  } catch (error) {
    await remove()
    options.signal.throwIfAborted()
    if (isAppError(error, 'engine_unavailable')) throw error
    const problem = `The rules that keep a build from this machine and its network could not be set, so its steps have no network. ${messageOf(error)}`
    return { network: 'none', problem, close: async () => {} }
  }
}

async function setRules(options: BuildNetworkOptions, id: string): Promise<void> {
  const { connection, allowedHosts } = options
  const [runtime] = connection.info().runtimes ?? []
  if (runtime) requireKernelNetwork(runtime)
  const allowed = allowedHosts().map(allowedHost)
  const around = new CachedNetworkContext({ ...options, common: { look: async () => undefined }, onChange: () => {} })
  const [context, container] = await Promise.all([
    around.look(allowed.map(({ name }) => hostInSandbox(name))),
    connection.engine().inspectContainer(id),
  ])
  const { address, hardwareAddress } = container ?? {}
  if (!address || !hardwareAddress) throw new AppError('engine_failed', 'It has no IPv4 address on the bridge.')
  const rules = buildRules(context, allowed, { ipv4: address, hardware: hardwareAddress })
  await runOneShot(options, {
    command: ['nft', rules],
    network: { of: id },
    extraHosts: [],
    capabilities: ['NET_ADMIN'],
  })
}
