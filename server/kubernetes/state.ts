import { createHash } from 'node:crypto'
import type { V1ContainerState, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node'
import type { ContainerRequest, ContainerState, ContainerStatus } from '../docker/engine.ts'
import { labelsOf, nameOf, type ObjectMeta, recordOf } from './objects.ts'
import { MAIN } from './pod.ts'
import { type Capabilities, CHANGED_RECORD, requestOf } from './request.ts'

/** Objects as JSON has them: the times are texts. */
export type Json<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T
export type Pod = Json<V1Pod>
export type Claim = Json<V1PersistentVolumeClaim>

const STATUS_OF_RECORD = { created: 'created', running: 'exited', paused: 'paused', stopped: 'exited' } as const

/** What there is of a container in the cluster. */
export interface Found {
  claim: Claim | undefined
  pod: Pod | undefined
}

/** What is known of a container: `request` is what it was made from, of one that stays and whose record is ours. */
export interface Known {
  state: ContainerState | undefined
  request: ContainerRequest | undefined
}

export function knownOf(found: Found, capabilities: Capabilities): Known {
  const meta = found.claim && metaOf(found.claim)
  const request = meta && requestOf(meta, capabilities)
  return { state: stateOf(found, request), request }
}

/** What a container is that stays, or one that ends with its pod. */
function stateOf({ claim, pod }: Found, request: ContainerRequest | undefined): ContainerState | undefined {
  const meta = metaOf(claim ?? pod)
  if (!meta) return undefined
  const name = nameOf(meta)
  const main = mainState(pod)
  const record = claim ? recordOf(meta) : undefined
  const isChanged = claim !== undefined && !request
  const status = statusOf({ isChanged, meta, pod, main, recorded: record && STATUS_OF_RECORD[record.wanted] })
  const isUp = status === 'running'
  const startedAt = startOf(pod) || record?.startedAt || ''
  const terminated = main?.terminated
  const isLost = record?.wanted === 'running' && !pod
  const error = errorOf({ isChanged, isLost, pod })
  return {
    id: name,
    name,
    image: request?.image ?? mainImage(pod) ?? '',
    status,
    exitCode: status === 'exited' ? (terminated?.exitCode ?? record?.exitCode ?? (isLost ? 137 : 0)) : undefined,
    createdAt: isoTime(meta.creationTimestamp),
    startedAt,
    // A pod has no other network, and one that is not there has none.
    networks: isUp ? ['bridge'] : [],
    ...(pod?.spec?.runtimeClassName && { runtime: pod.spec.runtimeClassName }),
    ...(isUp && pod?.status?.podIP && { address: pod.status.podIP }),
    labels: labelsOf(meta),
    ports: {},
    outOfMemory: terminated?.reason === 'OOMKilled',
    ...(request?.cluster?.pause_when_idle && { pausesWhenIdle: true }),
    ...(error !== undefined && { error }),
  }
}

function errorOf({ isChanged, isLost, pod }: { isChanged: boolean; isLost: boolean; pod: Pod | undefined }) {
  if (isChanged) return CHANGED_RECORD
  if (isLost) return 'Its pod is gone: the cluster has evicted it, or somebody has deleted it.'
  if (pod?.status?.phase !== 'Failed') return undefined
  const { reason, message = '' } = pod.status
  if (reason === 'DeadlineExceeded') return 'The cluster has ended it: its pod has run as long as its spec lets it.'
  return reason === 'Evicted' ? `Its node has ended it. ${message}`.trim() : undefined
}

interface Seen {
  isChanged: boolean
  meta: ObjectMeta
  pod: Pod | undefined
  main: Json<V1ContainerState> | undefined
  recorded: ContainerStatus | undefined
}

function statusOf({ isChanged, meta, pod, main, recorded }: Seen): ContainerStatus {
  if (meta.deletionTimestamp) return 'removing'
  if (isChanged) return 'dead'
  if (!pod) return recorded ?? 'exited'
  // It is going: what counts is what it was asked for.
  if (pod.metadata?.deletionTimestamp) return recorded ?? 'removing'
  // The node has ended it as a whole, whatever it said of its containers before.
  if (main?.terminated || pod.status?.phase === 'Failed') return 'exited'
  if (main?.running) return 'running'
  return recorded ?? 'created'
}

export function mainState(pod: Pod | undefined): Json<V1ContainerState> | undefined {
  return pod?.status?.containerStatuses?.find(({ name }) => name === MAIN)?.state
}

/**
 * Of the main container. The cluster counts in seconds; what is made of the pod's own id takes the place of the milliseconds, so
 * that two starts never have the same time.
 */
export function startOf(pod: Pod | undefined): string {
  const main = mainState(pod)
  const startedAt = main?.running?.startedAt ?? main?.terminated?.startedAt
  if (!startedAt) return ''
  const number =
    createHash('sha256')
      .update(pod?.metadata?.uid ?? '')
      .digest()
      .readUInt32BE(0) % 1000
  return new Date(Date.parse(startedAt) + number).toISOString()
}

function mainImage(pod: Pod | undefined): string | undefined {
  return pod?.spec?.containers.find(({ name }) => name === MAIN)?.image
}

export function metaOf(object: { metadata?: unknown } | undefined): ObjectMeta | undefined {
  return object?.metadata as ObjectMeta | undefined
}

function isoTime(text: string | undefined): string {
  const time = Date.parse(text ?? '')
  return new Date(Number.isNaN(time) ? 0 : time).toISOString()
}
