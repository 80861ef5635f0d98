import type { EngineStatus } from '../api/v1/system/system.ts'
import type { Engine } from '../docker/engine.ts'
import { shownAddress } from '../text/shown-address.ts'
import { type Check, type Found, factsOf } from './check.ts'

/** The engine that is in use, or that would be. */
export interface DiagnosedEngine {
  /** Looks now. */
  look(signal: AbortSignal): Promise<EngineStatus>
  /** @throws AppError engine_unavailable */
  engine(signal: AbortSignal): Promise<Engine>
}

/** That of Docker 20.10, the oldest engine that the tests run against. */
const OLDEST_API = [1, 41] as const

export const engineCheck =
  (engine: DiagnosedEngine): Check =>
  async signal => {
    const status = await engine.look(signal)
    if (status.state === 'unavailable') {
      const { reason, steps } = status
      return {
        state: 'problem',
        finding: 'engine_unavailable',
        facts: factsOf({ reason }),
        action: 'check_again',
        steps,
      }
    }
    const info = await (await engine.engine(signal)).info(signal)
    const facts = factsOf({
      name: info.name,
      version: info.version,
      api_version: info.apiVersion,
      endpoint: shownAddress(status.endpoint),
      operating_system: info.operatingSystem,
      architecture: info.architecture,
      processors: info.cpus,
      memory: info.memoryBytes,
      runtimes: info.runtimes.map(({ name }) => name).join(', '),
      engine_proxy: info.details.proxies.join(', '),
    })
    // Podman counts the versions of what it imitates.
    const isOld = info.name !== 'Podman' && isOlder(info.apiVersion)
    return isOld
      ? { state: 'warning', finding: 'engine_old', facts, ...(await remedies(engine, signal)) }
      : { state: 'ok', finding: 'engine_answers', facts }
  }

/** Commands are for an engine of this computer: elsewhere they would do nothing, or harm what runs here. */
async function remedies(engine: DiagnosedEngine, signal: AbortSignal): Promise<Pick<Found, 'steps'>> {
  const status = await engine.look(signal)
  return status.state === 'ready' && !/^(unix|npipe):/.test(status.endpoint) ? { steps: [] } : {}
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_API[0] || (major === OLDEST_API[0] && minor < OLDEST_API[1])
}

export const limitsCheck =
  (engine: DiagnosedEngine): Check =>
  async signal => {
    const { details } = await (await engine.engine(signal)).info(signal)
    const missing = details.missingLimits.join(', ')
    const facts = factsOf({ cgroup: details.controlGroups, missing_limits: missing })
    return missing === ''
      ? { state: 'ok', finding: 'limits_held', facts }
      : { state: 'warning', finding: 'limits_missing', facts, ...(await remedies(engine, signal)) }
  }

export const isolationCheck =
  (engine: DiagnosedEngine): Check =>
  async signal => {
    const { userNamespace, seccomp } = await (await engine.engine(signal)).info(signal)
    const facts = factsOf({ user_namespace: userNamespace, seccomp })
    if (seccomp === 'none') return { state: 'warning', finding: 'isolation_no_filter', facts }
    return { state: 'ok', finding: userNamespace === 'none' ? 'isolation_root' : 'isolation_user', facts }
  }

/** Without layers each container is a whole copy of its image. */
const SLOW_DRIVERS: ReadonlySet<string> = new Set(['vfs', 'devicemapper'])

export const engineStorageCheck =
  (engine: DiagnosedEngine): Check =>
  async signal => {
    const { details, canLimitDisk, folder } = await (await engine.engine(signal)).info(signal)
    const { storageDriver, fileSystem } = details
    const facts = factsOf({
      storage_driver: storageDriver,
      file_system: fileSystem,
      disk_limit: canLimitDisk ? 'yes' : 'no',
      folder,
    })
    return SLOW_DRIVERS.has(storageDriver ?? '')
      ? { state: 'warning', finding: 'storage_driver_slow', facts }
      : { state: 'ok', finding: 'storage_driver_good', facts }
  }

/** A certificate or a build notices that much. */
const MAX_DIFFERENCE_MS = 60_000

/** The virtual machine of an engine falls behind while the computer sleeps. */
export const clockCheck =
  (engine: DiagnosedEngine, now: () => number = Date.now): Check =>
  async signal => {
    const asked = now()
    const { details } = await (await engine.engine(signal)).info(signal)
    if (details.time === null) return { state: 'unknown', finding: 'clock_unknown' }
    const found = clockFinding(details.time - (asked + now()) / 2)
    return found.state === 'ok' ? found : { ...found, ...(await remedies(engine, signal)) }
  }

function clockFinding(differenceMs: number): Found {
  const facts = factsOf({ difference: Math.round(differenceMs / 1000) })
  return Math.abs(differenceMs) > MAX_DIFFERENCE_MS
    ? { state: 'warning', finding: 'clock_differs', facts }
    : { state: 'ok', finding: 'clock_right', facts }
}
