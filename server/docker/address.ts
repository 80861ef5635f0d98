import { isAbsolute } from 'node:path'
import { isLoopback } from '../api/loopback.ts'
import type { AvailableEngine, EngineAddress } from '../api/v1/system/engines.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import {
  type Candidate,
  contextCandidate,
  engineContexts,
  isMissingSocket,
  type Machine,
  usualSockets,
} from './candidates.mjs'
import { sshAddress } from './ssh/address.ts'

/** Of what speaks Docker's own API. */
export type DockerAddress = Exclude<EngineAddress, { kind: 'kubernetes' }>

/** Where an engine that a person added is to be asked now. @throws AppError bad_request in words */
export function candidateAt(address: DockerAddress, machine: Machine): Candidate {
  switch (address.kind) {
    case 'context': {
      const found = contextCandidate(machine, address.name)
      if (found) return found
      throw refused(`There is no docker context ${address.name}. "docker context ls" lists those that there are.`)
    }
    case 'socket': {
      const found = usualSockets(machine).find(({ host }) => host === address.host)
      if (found) return found
      throw refused(
        `${address.host} is no usual socket of this machine. Make a docker context for it, and choose that.`,
      )
    }
    case 'host':
      return typedHost(address)
  }
}

/** Docker contexts and sockets of this machine that nobody is reached by. @param used hosts, as in DOCKER_HOST */
export function availableEngines(machine: Machine, used: ReadonlySet<string>): AvailableEngine[] {
  const contexts = engineContexts(machine, BOUNDS.dockerContexts.limit)
    .filter(({ candidate }) => !used.has(candidate.host) && !isMissingSocket(candidate) && isShowable(candidate.host))
    .map(({ name, candidate }) => ({ ...candidate, address: { kind: 'context', name } as const }))
  const known = new Set([...used, ...contexts.map(({ host }) => host)])
  const sockets = usualSockets(machine)
    .filter(candidate => !known.has(candidate.host) && !isMissingSocket(candidate))
    .map(candidate => ({ ...candidate, address: { kind: 'socket', host: candidate.host } as const }))
  return [...contexts, ...sockets].map(({ name, host, address }) => ({ name, host, address }))
}

function typedHost({ host, certificates }: Extract<EngineAddress, { kind: 'host' }>): Candidate {
  const candidate = { name: host, host, certificates: certificates ?? undefined, chosen: true }
  const url = URL.canParse(host) ? new URL(host) : undefined
  switch (url?.protocol) {
    case 'ssh:':
      try {
        sshAddress(host)
        return { ...candidate, certificates: undefined }
      } catch (error) {
        throw refused(`This address cannot be used: ${messageOf(error)}`)
      }
    case 'tcp:':
    case 'https:':
      break
    default:
      throw refused('Write ssh://user@machine or tcp://machine:2376, or choose a docker context or socket.')
  }
  const isPlain = !url.username && !url.password && !url.search && !url.hash && ['', '/'].includes(url.pathname)
  if (!isPlain || !url.hostname) throw refused(`An address of ${url.protocol}// is a machine and a port, and no more.`)
  if (certificates !== null && !isAbsolute(certificates)) {
    throw refused('Name the folder with the certificates by an absolute path.')
  }
  // Whoever reads along, or answers in its place, would have everything that agents work on.
  if (url.protocol === 'tcp:' && certificates === null && !isLoopback(url.hostname)) {
    throw refused('An engine of another machine needs certificates, or ssh://: without them anybody could read along.')
  }
  return candidate
}

/** Addresses are shown, stored in logs, and sent along with reports: whether this one may be. A user's name says who logs in by `ssh`. */
export function isShowable(host: string): boolean {
  if (/^(unix|npipe):/.test(host)) return true
  const plain = host.replace(/^((?!tcp:|https?:)[a-z0-9+.-]+:\/\/)[^\s:@/?#]+@/i, '$1')
  return !/[@?#\s]/.test(plain)
}

function refused(message: string): AppError {
  return new AppError('bad_request', message)
}
