import { allowedNames, EMPTY_ALLOWLIST, isAllowedName, type NetworkPolicy } from '../../api/network-policy.ts'
import { readLabels } from '../../docker/container/labels.ts'
import { AppError } from '../../domain/errors.ts'
import { allowedHost, hostInSandbox, isPublic } from '../../outbound/address.ts'
import type { SandboxNetworkTable } from '../../store/sandbox/networks.ts'

/** What each sandbox reaches: what it was started with, or was changed to. */
export class NetworkPolicies {
  readonly #table: Pick<SandboxNetworkTable, 'get' | 'save' | 'forget'>

  constructor(table: Pick<SandboxNetworkTable, 'get' | 'save' | 'forget'>) {
    this.#table = table
  }

  of({ name, labels }: { name: string; labels: Readonly<Record<string, string>> }): NetworkPolicy {
    const { network = 'full', allowlist = EMPTY_ALLOWLIST } = readLabels(labels) ?? {}
    return this.#table.get(name) ?? { network, allowlist }
  }

  save(id: string, policy: NetworkPolicy): void {
    this.#table.save(id, policy)
  }

  forget(id: string): void {
    this.#table.forget(id)
  }
}

/** @throws AppError bad_request for an address that a list cannot open */
export function checkPolicy({ network, allowlist }: NetworkPolicy): void {
  if (network !== 'allowlist') return
  const closed = allowedNames(allowlist).find(({ isAddress, name }) => isAddress && !isPublic(name))
  if (!closed) return
  throw new AppError(
    'bad_request',
    `${closed.name} belongs to this machine or its network. Allow it in Settings › Privacy (allowed_hosts); sandboxes with an allowlist reach it then too.`,
  )
}

/**
 * Whether a sandbox may reach a host, as far as its policy and the settings say.
 * @param host as it is called in the sandbox
 * @param policy undefined of one that is being made
 */
export function judge(
  host: { name: string; port: number },
  policy: NetworkPolicy | undefined,
  allowedHosts: readonly string[],
): 'policy' | 'open unless private' | null {
  const isOpened = allowedHosts
    .map(allowedHost)
    .some(({ name, port }) => hostInSandbox(name) === host.name && (port ?? host.port) === host.port)
  if (policy?.network === 'none') return 'policy'
  if (isOpened) return null
  const isLeftOut =
    policy?.network === 'allowlist' && !isAllowedName(allowedNames(policy.allowlist), host.name, host.port)
  return isLeftOut ? 'policy' : 'open unless private'
}
