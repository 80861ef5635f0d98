import type { EngineStatus } from '../api/v1/system/system.ts'
import type { EngineInfo } from './engine.ts'

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
