import type { SandboxNetwork } from '../api/network-policy.ts'
import type { EngineRuntime } from '../docker/engine-info.ts'
import { AppError } from '../domain/errors.ts'

/**
 * What the engine is to run the sandbox in; null is its default. Rules of the network are those of the engine's kernel: a
 * runtime with a network of its own, such as gVisor or a virtual machine, would not keep to them.
 * @param runtimes the engine's, its default first; empty where they are not known
 * @throws AppError bad_request where the engine lacks it, or it cannot have the network of the spec
 */
export function runtimeFor(
  { title, runtime, network }: { title: string; runtime: string | null; network: SandboxNetwork },
  runtimes: readonly EngineRuntime[],
): string | null {
  const found = runtime === null ? runtimes[0] : runtimes.find(({ name }) => name === runtime)
  if (runtime !== null && !found) {
    const known = runtimes.map(({ name }) => name).join(', ')
    const next = `Register it with the engine, or choose another one in the spec: ${known || 'the default'}.`
    throw new AppError('bad_request', `The engine has no runtime ${runtime}, which "${title}" asks for. ${next}`)
  }
  if (found && network !== 'none') requireKernelNetwork(found)
  return runtime
}

/** @throws AppError bad_request for a runtime in which the rules of the network do not hold */
export function requireKernelNetwork({ name, hasKernelNetwork }: EngineRuntime): void {
  if (hasKernelNetwork) return
  const what = `The runtime ${name} has a network of its own, where Atelier's rules do not hold`
  throw new AppError(
    'bad_request',
    `${what}. Choose the network "none" in a sandbox spec, or another runtime, such as runc.`,
  )
}
