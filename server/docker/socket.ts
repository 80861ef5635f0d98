import type { EngineStatus } from '../api/v1/system/system.ts'
import { timeLimit } from '../async/time-limit.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import { shownAddress } from '../text/shown-address.ts'
import { isShowable } from './address.ts'
import { type EngineProblem, engineAdvice } from './advice.ts'
import { type Candidate, engineCandidates, isMissingSocket, type Machine } from './candidates.mjs'
import { type Client, createClient } from './client.ts'
import { DockerodeEngine } from './dockerode-engine.ts'
import type { EngineInfo } from './engine-info.ts'
import { systemCode } from './errors.ts'
import type { FollowedEngine } from './life/ping.ts'
import { openSshTunnel, type SshTunnel } from './ssh/tunnel.ts'

const LOCAL_TIMEOUT_MS = 5000
const REMOTE_TIMEOUT_MS = 8000
/** Of a round after which no engine was found: one under load gets twice the time, up to this. */
const MAX_TIMEOUT_MS = 30_000
/** Servers shut out who fails to log in too often, and a key may ask its owner each time. */
const SSH_RETRY_MS = 30_000

export type EngineSearch =
  | { kind: 'found'; engine: FollowedEngine; info: EngineInfo }
  | {
      kind: 'none'
      reason: string
      steps: Extract<EngineStatus, { state: 'unavailable' }>['steps']
      /** How often to look again at most, in milliseconds; absent where looking costs nobody anything. */
      retryMs?: number
    }

interface Failure {
  candidate: Candidate
  problem: Exclude<EngineProblem, 'configured' | 'added'>
  message: string
}

/**
 * Asks each candidate in turn. The engine that is returned is the caller's to close.
 * @param round how many searches have found none since there was an engine
 */
export async function findEngine(machine: Machine, signal: AbortSignal, round = 0): Promise<EngineSearch> {
  const failures: Failure[] = []
  for (const candidate of engineCandidates(machine)) {
    signal.throwIfAborted()
    const answer = await ask(candidate, { machine, signal, round })
    if ('engine' in answer) return { kind: 'found', ...answer }
    failures.push(answer)
  }
  const isOverSsh = failures.some(({ candidate }) => candidate.host.startsWith('ssh://'))
  return { kind: 'none', ...explain(failures, machine.platform), ...(isOverSsh && { retryMs: SSH_RETRY_MS }) }
}

/** Asks an engine that a person added, under the name that they gave it. As `findEngine`. */
export async function findAddedEngine(
  candidate: Candidate,
  asked: { machine: Machine; signal: AbortSignal; round: number },
): Promise<EngineSearch> {
  const answer = await ask(candidate, asked)
  if ('engine' in answer) return { kind: 'found', ...answer }
  const isOverSsh = candidate.host.startsWith('ssh://')
  const steps = engineAdvice(answer.problem === 'denied' ? 'denied' : 'added', asked.machine.platform)
  const reason = `The engine "${candidate.name}" cannot be used: ${answer.message}.`
  return { kind: 'none', reason, steps, ...(isOverSsh && { retryMs: SSH_RETRY_MS }) }
}

async function ask(
  candidate: Candidate,
  { machine, signal, round }: { machine: Machine; signal: AbortSignal; round: number },
): Promise<{ engine: DockerodeEngine; info: EngineInfo } | Failure> {
  if (!isShowable(candidate.host)) {
    const shown = shownAddress(candidate.host) ?? 'its address'
    const message = `${shown} was given with a password or more than a machine and a port; use keys or certificates`
    return { candidate, problem: 'refused', message }
  }
  const local = candidate.host.startsWith('unix://')
  if (isMissingSocket(candidate)) {
    return { candidate, problem: 'absent', message: `${candidate.host} is not there` }
  }
  const timeoutMs = Math.min((local ? LOCAL_TIMEOUT_MS : REMOTE_TIMEOUT_MS) * 2 ** round, MAX_TIMEOUT_MS)
  const timeout = timeLimit(timeoutMs)
  let tunnel: SshTunnel | undefined
  let engine: DockerodeEngine | undefined
  try {
    if (candidate.host.startsWith('ssh://')) tunnel = await openSshTunnel(candidate.host, machine)
    engine = new DockerodeEngine(candidate.host, clientOf(candidate, tunnel), machine)
    const info = await engine.info(AbortSignal.any([signal, timeout]))
    return { engine, info }
  } catch (error) {
    await engine?.close()
    tunnel?.close()
    signal.throwIfAborted()
    const said = tunnel?.problem()
    if (said) return { candidate, problem: 'refused', message: `${candidate.host}: ${said}` }
    if (timeout.aborted) {
      const message = `${candidate.host} did not answer within ${timeoutMs / 1000} seconds`
      return { candidate, problem: 'refused', message }
    }
    return failureOf(candidate, error)
  }
}

function clientOf(candidate: Candidate, tunnel: SshTunnel | undefined): Client {
  if (!tunnel) return createClient(candidate)
  const scheme = tunnel.socketPath.startsWith('/') ? 'unix' : 'npipe'
  const client = createClient({ host: `${scheme}://${tunnel.socketPath}`, certificates: undefined })
  return {
    ...client,
    breaks: tunnel.breaks,
    close: () => {
      client.close()
      tunnel.close()
    },
  }
}

function failureOf(candidate: Candidate, error: unknown): Failure {
  const cause = isAppError(error) ? error.cause : error
  switch (systemCode(cause)) {
    case 'EACCES':
    case 'EPERM':
      return { candidate, problem: 'denied', message: `this user may not use ${candidate.host}` }
    case 'ENOENT':
      if (candidate.certificates) return { candidate, problem: 'refused', message: messageOf(cause) }
      return { candidate, problem: 'absent', message: `${candidate.host} is not there` }
    case 'ECONNREFUSED':
      return { candidate, problem: 'refused', message: `nothing answers at ${candidate.host}` }
    default: {
      const text =
        error instanceof AppError && error.code === 'engine_unavailable' && !cause ? error.message : messageOf(cause)
      return { candidate, problem: 'refused', message: `${candidate.host}: ${text}` }
    }
  }
}

/** The most telling failure: a chosen address, then a socket that exists, then that there is none. */
function explain(
  failures: readonly Failure[],
  platform: NodeJS.Platform,
): Omit<Extract<EngineSearch, { kind: 'none' }>, 'kind'> {
  const chosen = failures.find(failure => failure.candidate.chosen)
  if (chosen) {
    const reason = `The Docker engine of ${chosen.candidate.name} cannot be used: ${chosen.message}.`
    const steps = engineAdvice(chosen.problem === 'denied' ? 'denied' : 'configured', platform)
    return { reason, steps }
  }
  const telling =
    failures.find(failure => failure.problem === 'denied') ?? failures.find(failure => failure.problem === 'refused')
  if (!telling) {
    return { reason: 'No Docker engine was found on this machine.', steps: engineAdvice('absent', platform) }
  }
  const reason = `${telling.candidate.name} is installed, but cannot be used: ${telling.message}.`
  return { reason, steps: engineAdvice(telling.problem, platform) }
}
