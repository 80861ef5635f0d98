import type { EngineAddress } from '../../api/v1/system/engines.ts'
import { candidateAt } from '../../docker/address.ts'
import { engineCandidates, type Machine } from '../../docker/candidates.mjs'
import { type EngineSearch, findAddedEngine } from '../../docker/socket.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { EngineRow } from '../../store/sandbox/engines.ts'
import { findCluster, requireContext } from './clusters.ts'

export function unlessAway(error: unknown): undefined {
  if (!isAppError(error, 'engine_unavailable')) throw error
}

export function notThere(id: string): AppError {
  return new AppError('not_found', `There is no engine ${id}. Choose another one.`)
}

export function isDefault(verb: string): AppError {
  const next = 'DOCKER_HOST or the current docker context says which one it is.'
  return new AppError('conflict', `The default engine cannot be ${verb}. ${next}`)
}

/** A context may be gone, and come back. */
export async function searchAdded(
  { address, name }: EngineRow,
  asked: { machine: Machine; signal: AbortSignal; round: number; ownImage: string | null },
): Promise<EngineSearch> {
  try {
    if (address.kind === 'kubernetes') return await findCluster(name, address, asked)
    return await findAddedEngine({ ...candidateAt(address, asked.machine), name }, asked)
  } catch (error) {
    if (!isAppError(error, 'bad_request')) throw error
    return { kind: 'none', reason: error.message, steps: [] }
  }
}

/** Where the default engine may be, and those that a person added; a docker context may be gone. */
export function hostsOf(rows: readonly EngineRow[], machine: Machine): string[] {
  const added = rows.flatMap(({ address }) => {
    if (address.kind === 'kubernetes') return []
    try {
      return [candidateAt(address, machine).host]
    } catch {
      return []
    }
  })
  return [...engineCandidates(machine).map(({ host }) => host), ...added]
}

export function textOf(address: EngineAddress): string {
  switch (address.kind) {
    case 'context':
      return address.name
    case 'kubernetes':
      return [address.context, address.namespace].filter(Boolean).join('/')
    case 'socket':
    case 'host':
      return address.host
  }
}

/** Whatever else is said of how it is used. */
export function isSameAddress(one: EngineAddress, other: EngineAddress): boolean {
  return one.kind === other.kind && textOf(one) === textOf(other)
}

/** @throws AppError bad_request in words */
export async function checkAddress(address: EngineAddress, machine: Machine): Promise<void> {
  if (address.kind === 'kubernetes') await requireContext(address.context, machine)
  else candidateAt(address, machine)
}
