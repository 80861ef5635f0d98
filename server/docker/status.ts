import type { EngineStatus } from '../api/v1/system/system.ts'
import { AppError } from '../domain/errors.ts'
import type { EngineInfo } from './engine-info.ts'

type Unavailable = Extract<EngineStatus, { state: 'unavailable' }>

export function readyStatus(endpoint: string, info: EngineInfo): EngineStatus {
  const { name, version, cpus, memoryBytes, seccomp, userNamespace, runtimes } = info
  return {
    state: 'ready',
    name,
    version,
    endpoint,
    cpus,
    memory_bytes: memoryBytes,
    seccomp,
    user_namespace: userNamespace,
    runtimes: runtimes.map(each => ({ name: each.name, has_kernel_network: each.hasKernelNetwork })),
  }
}

export const SILENT: Unavailable = {
  state: 'unavailable',
  reason: 'The engine does not answer at the moment. What is under way waits for it.',
  steps: [],
}

export function unavailable(reason: string): Unavailable {
  return { state: 'unavailable', reason, steps: [] }
}

/** To whoever waits for an engine that is not looked for any more. */
export function removed(): AppError {
  return new AppError('engine_unavailable', 'This engine was removed from Atelier. Add it again, then continue.')
}
