import type { NetworkPolicy } from '../api/network-policy.ts'
import type { DiagnosisFact } from '../api/v1/system/diagnosis.ts'
import type { SandboxImageStatus } from '../api/v1/system/system.ts'
import type { Engine } from '../docker/engine.ts'
import type { EngineRuntime } from '../docker/engine-info.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import { oneShotName, oneShotRequest } from '../sandbox/network/one-shot.ts'
import type { RulesTrial } from '../sandbox/network/trial.ts'
import { type Check, type Found, factsOf } from './check.ts'
import type { DiagnosedEngine } from './engine.ts'

/** `reference`: of the bundled image, null where there is none. */
export const imageCheck =
  (status: () => SandboxImageStatus): Check =>
  async () => {
    const { state, reference, reason } = status()
    return { ...IMAGE[state], facts: factsOf({ reference, reason }) }
  }

const IMAGE: Readonly<Record<SandboxImageStatus['state'], Found>> = {
  ready: { state: 'ok', finding: 'image_loaded' },
  loading: { state: 'ok', finding: 'image_loading' },
  not_loaded: { state: 'ok', finding: 'image_not_loaded' },
  not_bundled: { state: 'warning', finding: 'image_not_bundled', action: 'choose_spec' },
  failed: { state: 'problem', finding: 'image_failed', action: 'check_again' },
}

export interface SharesOptions {
  engine: DiagnosedEngine
  /** Of the bundled image. */
  image: string | null
  instanceId: string
  /** Until the returned function is called, the reconciler leaves a container of this name alone. */
  hold(name: string): () => void
  /** That the engine is to mount. */
  folder: string
}

/** Makes a container that mounts a folder, and never starts it: the engine looks for the folder when it makes one. */
export const sharesCheck =
  (options: SharesOptions): Check =>
  async signal => {
    const status = await options.engine.look(signal)
    if (status.state === 'ready' && !/^(unix|npipe):/.test(status.endpoint)) {
      return { state: 'warning', finding: 'shares_remote', action: 'choose_spec' }
    }
    const engine = await options.engine.engine(signal)
    const { image, folder } = options
    if (image === null || (await engine.image(image)) === undefined) {
      return { state: 'skipped', finding: 'needs_image' }
    }
    const facts = factsOf({ folder })
    try {
      await tryMount(engine, image, options)
      return { state: 'ok', finding: 'shares_work', facts }
    } catch (error) {
      if (!isAppError(error, 'engine_failed')) throw error
      return {
        state: 'problem',
        finding: 'shares_refused',
        facts: [...facts, ...factsOf({ reason: messageOf(error) })],
      }
    }
  }

async function tryMount(engine: Engine, image: string, { instanceId, hold, folder }: SharesOptions): Promise<void> {
  const name = oneShotName()
  const task = { command: ['true'], capabilities: [], network: 'none' as const, extraHosts: [] }
  const mounts = [{ hostPath: folder, containerPath: '/mnt', readOnly: true }]
  const release = hold(name)
  try {
    await engine.removeContainer(
      await engine.createContainer({ ...oneShotRequest(name, image, instanceId, task), mounts }),
    )
  } finally {
    release()
  }
}

export interface NetworkOptions {
  /** What the default spec says. */
  spec(): Promise<(NetworkPolicy & { runtime: string | null; engine: NetworkEngine }) | null>
  allowedHosts(): readonly string[]
}

/** That sandboxes of the default spec run on. */
export interface NetworkEngine {
  /** @throws AppError engine_unavailable */
  runtimes(): readonly EngineRuntime[]
  /** Whether it has the image that rules are set from. @throws AppError engine_unavailable */
  hasImage(): Promise<boolean>
  /** As the function of this name in `sandbox/network`. */
  tryRules(signal: AbortSignal): Promise<RulesTrial>
}

/** Whether new sandboxes are kept from this machine and its network: the kernel of the engine is tried. */
export const networkCheck =
  ({ spec, allowedHosts }: NetworkOptions): Check =>
  async signal => {
    const found = await spec()
    if (!found) return { state: 'unknown', finding: 'check_failed' }
    const { network, allowlist, runtime, engine } = found
    const runtimes = engine.runtimes()
    const chosen = runtime === null ? runtimes[0] : runtimes.find(({ name }) => name === runtime)
    const facts = factsOf({
      policy: network === 'allowlist' ? [network, ...allowlist.presets].join(', ') : network,
      runtime: chosen?.name ?? runtime,
      allowed_hosts: [...(network === 'allowlist' ? allowlist.hosts : []), ...allowedHosts()].length,
    })
    if (network === 'none') return { state: 'ok', finding: 'network_none', facts }
    if (chosen?.hasKernelNetwork === false) {
      return { state: 'problem', finding: 'network_open_runtime', facts, action: 'choose_spec' }
    }
    if (!(await engine.hasImage())) return { state: 'skipped', finding: 'needs_image', facts }
    return rulesFinding(engine, signal, facts)
  }

async function rulesFinding(
  { tryRules }: Pick<NetworkEngine, 'tryRules'>,
  signal: AbortSignal,
  facts: readonly DiagnosisFact[],
): Promise<Found> {
  const trial = await tryRules(signal)
  switch (trial.outcome) {
    case 'refused':
      return { state: 'ok', finding: 'network_protected', facts: [...facts] }
    case 'not-refused':
      return { state: 'problem', finding: 'network_not_refused', facts: [...facts], action: 'choose_spec' }
    case 'not-set': {
      const all = [...facts, ...factsOf({ reason: trial.reason })]
      return { state: 'problem', finding: 'network_no_rules', facts: all, action: 'choose_spec' }
    }
    case 'unknown':
      return { state: 'unknown', finding: 'check_failed', facts: [...facts] }
  }
}
