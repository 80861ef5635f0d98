import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import { mainState, type Pod } from './state.ts'

/** A cluster that makes room for a pod does so within this time. */
const UNSCHEDULABLE_MS = 60_000
/** The node tries an image again after 10 s, and once more: what is wrong then stays so. */
const IMAGE_MS = 45_000
/** Pulling a large image and making a volume take minutes. */
const START_MS = 15 * 60_000

const IMAGE_REASONS = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'ImageInspectError'])
/** They stay. */
const NEVER_PULLED = 'ErrImageNeverPull'
const IMAGE_REFUSALS = new Set(['InvalidImageName', NEVER_PULLED])
const CONTAINER_REASONS = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
])

export interface Waiting {
  read(): Promise<Pod | undefined>
  /** Of the container that closes the network. */
  rulesLog(): Promise<string>
}

/** Resolves when no container of a pod is to be started any more, or its main one has ended. @throws AppError in words why it never will */
export async function podStarts({ read, rulesLog }: Waiting): Promise<Pod> {
  const began = Date.now()
  let imageFailedAt: number | undefined
  /** What went wrong is said once; later the node says only that it waits. */
  let imageProblem: WaitingContainer | undefined
  for (let wait = 100; ; wait = Math.min(1000, wait * 1.1)) {
    const pod = await read()
    const elapsed = Date.now() - began
    if (!pod || pod.metadata?.deletionTimestamp) throw removed()
    if (hasStarted(pod)) return pod
    const image = waitingStatuses(pod).find(({ reason }) => IMAGE_REASONS.has(reason) || IMAGE_REFUSALS.has(reason))
    imageFailedAt = image && (imageFailedAt ?? Date.now())
    const isImageLost = imageFailedAt !== undefined && Date.now() - imageFailedAt > IMAGE_MS
    if (image?.reason === 'ErrImagePull') imageProblem = image
    if (image && (isImageLost || IMAGE_REFUSALS.has(image.reason))) throw imageRefused(imageProblem ?? image)
    const failure = containerFailure(pod, elapsed)
    if (failure) throw failure
    if (pod.status?.initContainerStatuses?.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)) {
      throw rulesRefused(await rulesLog().catch(() => ''))
    }
    if (pod.status?.phase === 'Failed') throw podFailed(pod)
    if (elapsed > START_MS) throw podLate(pod)
    await delay(wait)
  }
}

function hasStarted(pod: Pod): boolean {
  const statuses = pod.status?.containerStatuses ?? []
  const isWaiting = statuses.some(({ state }) => !state?.running && !state?.terminated)
  return (statuses.length === pod.spec?.containers.length && !isWaiting) || mainState(pod)?.terminated !== undefined
}

interface WaitingContainer {
  image: string
  reason: string
  message: string
}

function waitingStatuses(pod: Pod): WaitingContainer[] {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  return statuses.flatMap(({ image, state }) =>
    state?.waiting ? [{ image, reason: state.waiting.reason ?? '', message: state.waiting.message ?? '' }] : [],
  )
}

function containerFailure(pod: Pod, elapsed: number): AppError | undefined {
  const failed = waitingStatuses(pod).find(({ reason }) => CONTAINER_REASONS.has(reason))
  if (failed) {
    const text = `The cluster cannot start a container of the image ${failed.image}: ${said(failed)}. Choose another image, or change its user or command in the sandbox spec.`
    return new AppError('sandbox_start_failed', text)
  }
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable' || elapsed < UNSCHEDULABLE_MS)
    return undefined
  const text = `No node of the cluster takes the sandbox: ${sentence(scheduled.message)} Ask for less memory or fewer processors, choose other nodes or another storage class in the sandbox spec, or delete sandboxes.`
  return new AppError('sandbox_start_failed', text)
}

function imageRefused(waiting: WaitingContainer): AppError {
  if (waiting.reason === NEVER_PULLED) return ownImageMissing(waiting)
  const next = 'Push it to a registry that the cluster reaches, or choose another image in the sandbox spec.'
  return new AppError('image_pull_failed', `The cluster cannot pull ${waiting.image}: ${said(waiting)}. ${next}`)
}

/** Nothing else is never pulled. */
function ownImageMissing({ image }: WaitingContainer): AppError {
  const next =
    "Import it there, or push it to a registry that the cluster reaches and add the engine again with that reference as “image”. “docker save” gives Atelier's image away."
  return new AppError('image_pull_failed', `A node of the cluster does not have Atelier's own image ${image}. ${next}`)
}

function rulesRefused(log: string): AppError {
  const next = 'Its nodes need a kernel with nftables, and the namespace has to allow the capability NET_ADMIN.'
  return new AppError(
    'sandbox_start_failed',
    `The network of the sandbox could not be closed before its start. ${sentence(log)} ${next}`,
  )
}

function podFailed(pod: Pod): AppError {
  const { reason = '', message = '' } = pod.status ?? {}
  return new AppError(
    'sandbox_start_failed',
    `The cluster has ended the pod of the sandbox: ${said({ reason, message })}.`,
  )
}

function podLate(pod: Pod): AppError {
  const [first] = waitingStatuses(pod)
  const last = first ? ` Last it was waiting: ${said(first)}.` : ''
  return new AppError(
    'sandbox_start_failed',
    `The cluster has not started the sandbox within ${START_MS / 60_000} minutes.${last}`,
  )
}

function removed(): AppError {
  return new AppError('sandbox_not_found', 'The sandbox was removed while it was being started.')
}

function said({ reason, message }: Pick<WaitingContainer, 'reason' | 'message'>): string {
  return [reason, message]
    .filter(text => text !== '')
    .join(': ')
    .replace(/\.$/, '')
}

function sentence(text: string | undefined): string {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' || trimmed.endsWith('.') ? trimmed : `${trimmed}.`
}
