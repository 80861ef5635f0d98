import { refusalReason, type SandboxAction, UNREACHABLE } from '../api/v1/sandbox/actions.ts'
import type { SandboxInfo, SandboxStatus } from '../api/v1/sandbox/sandboxes.ts'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import { readLabels } from '../docker/container/labels.ts'
import type { ContainerState, ContainerStatus } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'

const STATUS_OF: Readonly<Record<ContainerStatus, SandboxStatus>> = {
  created: 'STARTING',
  restarting: 'STARTING',
  running: 'RUNNING',
  paused: 'PAUSED',
  // Stopped keeps the files: to a user that is a pause, and a resume starts it.
  exited: 'PAUSED',
  removing: 'MISSING',
  dead: 'ERROR',
}

interface Known {
  id: string
  specId: string
  createdAt: string
}

/** What the service knows of one sandbox. `container` is the engine's word, `unreachable` the last one it had. */
export type Sandbox = Known &
  (
    | { kind: 'booting'; detail: string; labels?: ContainerState['labels'] }
    | { kind: 'failed'; reason: string; labels?: ContainerState['labels'] }
    | { kind: 'container'; container: ContainerState }
    | { kind: 'unreachable'; container: ContainerState }
  )

/** undefined for a container that is not a sandbox. */
export function sandboxOf(container: ContainerState): Sandbox | undefined {
  const labels = readLabels(container.labels)
  if (!labels) return undefined
  return { id: container.name, specId: labels.specId, createdAt: labels.createdAt, kind: 'container', container }
}

export function statusOf(sandbox: Sandbox): SandboxStatus {
  switch (sandbox.kind) {
    case 'booting':
      return 'STARTING'
    case 'failed':
      return 'ERROR'
    case 'unreachable':
    case 'container':
      return STATUS_OF[sandbox.container.status]
  }
}

interface ShownContext {
  engineId: string
  note: string | null
  resumesByItself: boolean
  endsPrograms: boolean
}

/** What a client sees; `access` is what only a running sandbox has, `note` what there is to say while nothing else is. */
export function infoOf(
  sandbox: Sandbox,
  access: (id: string, ports: ContainerState['ports']) => Pick<SandboxInfo, 'session_api_key' | 'exposed_urls'>,
  { engineId, note, resumesByItself, endsPrograms }: ShownContext = {
    engineId: DEFAULT_ENGINE,
    note: null,
    resumesByItself: false,
    endsPrograms: false,
  },
): SandboxInfo {
  const status = statusOf(sandbox)
  const running = sandbox.kind === 'container' && status === 'RUNNING'
  return {
    id: sandbox.id,
    created_by_user_id: null,
    sandbox_spec_id: sandbox.specId,
    engine_id: engineId,
    status,
    status_detail: detailOf(sandbox) ?? note,
    resumes_by_itself: resumesByItself,
    pause_ends_programs: endsPrograms,
    unreachable: sandbox.kind === 'unreachable',
    created_at: sandbox.createdAt,
    ...(running ? access(sandbox.id, sandbox.container.ports) : { session_api_key: null, exposed_urls: null }),
  }
}

function detailOf(sandbox: Sandbox): string | null {
  switch (sandbox.kind) {
    case 'booting':
      return sandbox.detail
    case 'failed':
      return sandbox.reason
    case 'unreachable':
      return 'The engine does not answer. This is how the sandbox was when it last did.'
    case 'container':
      return containerDetail(sandbox.container)
  }
}

const OUT_OF_MEMORY =
  'It ran out of memory and was stopped. Resume it, or start a new one with a larger memory limit in its sandbox spec.'

/** SIGKILL, SIGTERM: how a stop ends the main process. */
const STOPPED = new Set([0, 137, 143])

function containerDetail(container: ContainerState): string | null {
  if (container.error) return container.error
  if (container.status === 'dead') return 'The engine could not remove it completely.'
  if (container.status !== 'exited') return null
  if (container.outOfMemory) return OUT_OF_MEMORY
  if (container.exitCode === undefined || STOPPED.has(container.exitCode)) return 'Stopped.'
  return `Its main process ended with exit code ${container.exitCode}.`
}

/** @throws AppError with the table's reason when the action is not allowed now */
export function assertAllowed(action: SandboxAction, sandbox: Sandbox): void {
  assertReachable(sandbox)
  const status = statusOf(sandbox)
  const reason = refusalReason(action, status)
  if (!reason) return
  const code = status === 'MISSING' ? 'sandbox_not_found' : action === 'use' ? 'sandbox_not_running' : 'conflict'
  throw new AppError(code, reason, { details: { sandbox_id: sandbox.id, status } })
}

/** @throws AppError engine_unavailable when only its last known state is known */
export function assertReachable(sandbox: Sandbox): void {
  if (sandbox.kind === 'unreachable') throw new AppError('engine_unavailable', UNREACHABLE)
}
