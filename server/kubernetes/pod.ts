import type {
  V1Container,
  V1ObjectMeta,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodSpec,
  V1ResourceRequirements,
  V1SecurityContext,
  V1Volume,
} from '@kubernetes/client-node'
import type { ClusterPlace } from '../api/v1/sandbox/cluster.ts'
import type { ContainerRequest } from '../docker/engine.ts'
import { AppError } from '../domain/errors.ts'
import { notOnCluster } from './errors.ts'
import {
  annotationsOf,
  MANAGED,
  networkLabel,
  networkOf,
  type ObjectMeta,
  objectName,
  PART,
  readableLabels,
  recordAnnotation,
  requestAnnotation,
  selectable,
} from './objects.ts'

/** Containers of a pod. The network container sees nothing of the main one but its network. */
export const MAIN = 'main'
export const NETWORK = 'network'
const RULES = 'rules'
const WORKSPACE = 'workspace'
const SCRATCH = 'scratch'

/** So that many fit beside each other; what they take beyond it is what nobody else needs. */
const REQUESTED = { cpus: 0.1, memoryBytes: 256 * 2 ** 20, diskBytes: 256 * 2 ** 20 }
const VOLUME_BYTES = 10 * 2 ** 30
const NETWORK_LIMITS = { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '1', memory: '192Mi' } }
const SCRATCH_SIZE = '16Mi'

/** The image whose programs are Atelier's own. Whoever has its name in a public registry must not be asked for it. */
export interface OwnImage {
  /** As containers ask for it. */
  name: string
  /** Where the nodes find it; null: they have it under its name, and pull it from nowhere. */
  reference: string | null
  /** Names of secrets in the namespace, for every pod. */
  pullSecrets: readonly string[]
}

export interface PodOptions {
  request: ContainerRequest
  /** Carries out what the network of the pod needs. */
  image: OwnImage
  /** Closes the network before the main container starts; null leaves it open, and then nothing can set rules later. */
  closedRules: readonly string[] | null
  /** The claim that stays; null where nothing does. */
  claim: ObjectMeta | null
  /** Whose the pod is, as `account@computer`. */
  owner: string
}

/** @throws AppError bad_request for what no cluster can do */
export function checkRequest({ mounts, volumes = [], service, seesHost }: ContainerRequest): void {
  if (mounts.length > 0) throw notOnCluster('mount a folder of this computer')
  if (volumes.length > 0) throw notOnCluster('share caches between sandboxes')
  if (service) throw notOnCluster('run the services of a project')
  if (seesHost)
    throw new AppError('bad_request', 'A Kubernetes cluster cannot let a container see its node: not permitted.')
}

export function podOf({ request, image, closedRules, claim, owner }: PodOptions): V1Pod {
  const user = numericUser(request.user)
  const { cluster } = request
  const pullSecrets = new Set([...image.pullSecrets, ...(cluster?.image_pull_secrets ?? [])])
  const claimName = claim?.name ?? null
  const chown = claim !== null && user && user.uid !== 0 ? `chown ${user.uid}:${user.gid} /workspace || true\n` : ''
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: podMetadata(request, { owner, claim }),
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      ...(cluster?.active_deadline_seconds && { activeDeadlineSeconds: cluster.active_deadline_seconds }),
      ...(request.runtime && { runtimeClassName: request.runtime }),
      ...(cluster && placeOf(cluster)),
      imagePullSecrets: [...pullSecrets].map(name => ({ name })),
      securityContext: {
        seccompProfile: { type: 'RuntimeDefault' },
        ...(user && user.gid !== 0 && { fsGroup: user.gid, fsGroupChangePolicy: 'OnRootMismatch' }),
      },
      hostAliases: request.extraHosts.flatMap(hostAlias),
      ...(closedRules && { initContainers: [rulesContainer(image, closedRules, { chown, claimName })] }),
      containers: [mainContainer(request, image, claimName), ...(closedRules ? [networkContainer(image)] : [])],
      volumes: volumesOf(request, claimName),
    },
  }
}

export function claimOf(request: ContainerRequest, owner: string): V1PersistentVolumeClaim {
  const { storage_class: storageClass, volume_bytes: volumeBytes } = request.cluster ?? {}
  const metadata = metadataOf(request, owner)
  const state = recordAnnotation({ wanted: 'created', startedAt: '' })
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...requestAnnotation(request), ...state } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: String(volumeBytes ?? VOLUME_BYTES) } },
      ...(storageClass && { storageClassName: storageClass }),
    },
  }
}

function placeOf({ node_selector, tolerations }: ClusterPlace): Partial<V1PodSpec> {
  return {
    nodeSelector: { ...node_selector },
    tolerations: tolerations.map(({ key, operator, value, effect }) => ({
      operator,
      ...(key !== null && { key }),
      ...(value !== null && { value }),
      ...(effect !== null && { effect }),
    })),
  }
}

function imageOf(image: string, own: OwnImage): Pick<V1Container, 'image' | 'imagePullPolicy'> {
  if (image !== own.name) return { image, imagePullPolicy: 'IfNotPresent' }
  if (own.reference === null) return { image, imagePullPolicy: 'Never' }
  return { image: own.reference, imagePullPolicy: 'IfNotPresent' }
}

function metadataOf({ name, labels }: ContainerRequest, owner: string) {
  return {
    name: objectName(name),
    labels: { ...MANAGED, ...readableLabels(name, labels, owner), ...selectable(labels) },
    annotations: annotationsOf(name, labels, owner),
  }
}

/** The cluster clears a pod away whose claim is gone. What the sandbox reaches may have changed since it was made. */
function podMetadata(request: ContainerRequest, { owner, claim }: Pick<PodOptions, 'owner' | 'claim'>): V1ObjectMeta {
  const metadata = metadataOf(request, owner)
  if (claim === null) return { ...metadata, labels: { ...metadata.labels, ...PART.helper } }
  const { name = '', uid = '' } = claim
  const network = networkOf(claim)
  return {
    ...metadata,
    labels: { ...metadata.labels, ...(network && networkLabel(network)), ...PART.sandbox },
    ownerReferences: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, uid }],
  }
}

function mainContainer(request: ContainerRequest, own: OwnImage, claim: string | null): V1Container {
  const { isShortLived = false } = request
  const user = numericUser(request.user)
  const context: V1SecurityContext = {
    allowPrivilegeEscalation: false,
    privileged: false,
    capabilities: { drop: request.capabilities.drop, add: request.capabilities.add },
    ...(user && { runAsUser: user.uid, runAsGroup: user.gid }),
    ...(isShortLived && { readOnlyRootFilesystem: true }),
  }
  return {
    name: MAIN,
    ...imageOf(request.image, own),
    ...commandOf(request),
    workingDir: request.workingDir,
    env: Object.entries(request.env).map(([name, value]) => ({ name, value: literal(value) })),
    stdin: request.openStdin ?? false,
    resources: resourcesOf(request),
    securityContext: context,
    volumeMounts: [
      ...(claim === null ? [] : [{ name: WORKSPACE, mountPath: request.workingDir }]),
      ...(request.scratch ? [{ name: SCRATCH, mountPath: request.scratch }] : []),
    ],
  }
}

/** What it writes beside its volume is bounded only where somebody asks: the node ends a pod that goes beyond it. */
function resourcesOf({ memoryBytes, cpus, diskBytes = 0 }: ContainerRequest): V1ResourceRequirements {
  const { memoryBytes: memory, cpus: cpu, diskBytes: disk } = REQUESTED
  return {
    limits: {
      ...(memoryBytes > 0 && { memory: String(memoryBytes) }),
      ...(cpus > 0 && { cpu: cpuText(cpus) }),
      ...(diskBytes > 0 && { 'ephemeral-storage': String(diskBytes) }),
    },
    requests: {
      memory: String(Math.min(memory, memoryBytes || memory)),
      cpu: cpuText(Math.min(cpu, cpus || cpu)),
      ...(diskBytes > 0 && { 'ephemeral-storage': String(Math.min(disk, diskBytes)) }),
    },
  }
}

/**
 * The first process of a container, which no other one is there for: it takes the exit codes of those whose parent has ended, and
 * lets the program know that it is to end.
 */
const INIT = `exec 3<&0
"$@" <&3 3<&- & p=$!
trap 'kill -s TERM "$p" 2>/dev/null' TERM INT
wait "$p"; s=$?
while kill -0 "$p" 2>/dev/null; do wait "$p"; s=$?; done
exit "$s"`

function commandOf({ entrypoint, command, isShortLived }: ContainerRequest): Pick<V1Container, 'command' | 'args'> {
  if (!entrypoint || isShortLived) {
    return {
      ...(entrypoint && { command: entrypoint.map(literal) }),
      ...(command.length > 0 && { args: command.map(literal) }),
    }
  }
  return { command: ['/bin/sh', '-c', INIT, 'sh', ...entrypoint, ...command].map(literal) }
}

/** Until it is asked to end, and then at once. */
const WAIT = "trap 'exit 0' TERM INT; sleep 2147483647 & wait $!"

/** In which what concerns the network of the pod runs: its rules, and what looks into it. */
function networkContainer(own: OwnImage): V1Container {
  return {
    name: NETWORK,
    ...imageOf(own.name, own),
    command: ['/bin/sh', '-c', WAIT].map(literal),
    workingDir: '/',
    resources: NETWORK_LIMITS,
    securityContext: networkRights(['NET_ADMIN', 'SETUID', 'SETGID', 'SETPCAP', 'KILL']),
  }
}

function rulesContainer(
  own: OwnImage,
  rules: readonly string[],
  { chown, claimName }: { chown: string; claimName: string | null },
): V1Container {
  return {
    name: RULES,
    ...imageOf(own.name, own),
    // A share of a network may refuse it, and then has its own way to know its users.
    command: ['/bin/sh', '-c', `${chown}exec "$@"`, 'sh', ...rules].map(literal),
    workingDir: '/',
    resources: NETWORK_LIMITS,
    securityContext: networkRights(['NET_ADMIN', ...(chown ? ['CHOWN'] : [])]),
    ...(chown && claimName !== null && { volumeMounts: [{ name: WORKSPACE, mountPath: '/workspace' }] }),
  }
}

function networkRights(add: string[]): V1SecurityContext {
  return {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    runAsUser: 0,
    runAsGroup: 0,
    capabilities: { drop: ['ALL'], add },
  }
}

function volumesOf(request: ContainerRequest, claim: string | null): V1Volume[] {
  return [
    ...(claim === null ? [] : [{ name: WORKSPACE, persistentVolumeClaim: { claimName: claim } }]),
    ...(request.scratch ? [{ name: SCRATCH, emptyDir: { medium: 'Memory', sizeLimit: SCRATCH_SIZE } }] : []),
  ]
}

/** `host-gateway` is a word of Docker's for an address that no pod has. */
function hostAlias(line: string): { hostnames: string[]; ip: string }[] {
  const at = line.indexOf(':')
  const ip = line.slice(at + 1)
  return at === -1 || ip === 'host-gateway' ? [] : [{ hostnames: [line.slice(0, at)], ip }]
}

/** As `uid:gid`; undefined for a name, which only the image knows: its own user holds then. */
export function numericUser(user: string | undefined): { uid: number; gid: number } | undefined {
  const found = /^(\d+)(?::(\d+))?$/.exec(user ?? '')
  return found ? { uid: Number(found[1]), gid: Number(found[2] ?? found[1]) } : undefined
}

/** The cluster would put a variable in the place of `$(NAME)`, and `$` in that of `$$`: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$')
}

function cpuText(cpus: number): string {
  return `${Math.max(1, Math.round(cpus * 1000))}m`
}
