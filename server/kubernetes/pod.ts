import type {
  V1Container,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodSpec,
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
  objectName,
  recordAnnotation,
  requestAnnotation,
  SANDBOX_PART,
  selectable,
} from './objects.ts'

/** Containers of a pod. The network container sees nothing of the main one but its network. */
export const MAIN = 'main'
export const NETWORK = 'network'
const RULES = 'rules'
const WORKSPACE = 'workspace'
const SCRATCH = 'scratch'

/** So that many fit beside each other; what they take beyond it is what nobody else needs. */
const REQUESTED = { cpus: 0.1, memoryBytes: 256 * 2 ** 20 }
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
  /** Name of the claim that stays; null where nothing does. */
  claim: string | null
}

/** @throws AppError bad_request for what no cluster can do */
export function checkRequest({ mounts, volumes = [], service, seesHost }: ContainerRequest): void {
  if (mounts.length > 0) throw notOnCluster('mount a folder of this computer')
  if (volumes.length > 0) throw notOnCluster('share caches between sandboxes')
  if (service) throw notOnCluster('run the services of a project')
  if (seesHost)
    throw new AppError('bad_request', 'A Kubernetes cluster cannot let a container see its node: not permitted.')
}

export function podOf({ request, image, closedRules, claim }: PodOptions): V1Pod {
  const owner = numericUser(request.user)
  const { cluster } = request
  const metadata = metadataOf(request)
  const pullSecrets = new Set([...image.pullSecrets, ...(cluster?.image_pull_secrets ?? [])])
  const chown = claim !== null && owner && owner.uid !== 0 ? `chown ${owner.uid}:${owner.gid} /workspace || true\n` : ''
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: claim === null ? metadata : { ...metadata, labels: { ...metadata.labels, ...SANDBOX_PART } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      ...(request.runtime && { runtimeClassName: request.runtime }),
      ...(cluster && placeOf(cluster)),
      imagePullSecrets: [...pullSecrets].map(name => ({ name })),
      securityContext: {
        seccompProfile: { type: 'RuntimeDefault' },
        ...(owner && owner.gid !== 0 && { fsGroup: owner.gid, fsGroupChangePolicy: 'OnRootMismatch' }),
      },
      hostAliases: request.extraHosts.flatMap(hostAlias),
      ...(closedRules && { initContainers: [rulesContainer(image, closedRules, { chown, claim })] }),
      containers: [mainContainer(request, image, claim), ...(closedRules ? [networkContainer(image)] : [])],
      volumes: volumesOf(request, claim),
    },
  }
}

export function claimOf(request: ContainerRequest): V1PersistentVolumeClaim {
  const { storage_class: storageClass, volume_bytes: volumeBytes } = request.cluster ?? {}
  const metadata = metadataOf(request)
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

function metadataOf({ name, labels }: ContainerRequest) {
  return {
    name: objectName(name),
    labels: { ...MANAGED, ...selectable(labels) },
    annotations: annotationsOf(name, labels),
  }
}

function mainContainer(request: ContainerRequest, own: OwnImage, claim: string | null): V1Container {
  const { memoryBytes, cpus, isShortLived = false } = request
  const owner = numericUser(request.user)
  const limits = { ...(memoryBytes > 0 && { memory: String(memoryBytes) }), ...(cpus > 0 && { cpu: cpuText(cpus) }) }
  const requests = {
    memory: String(Math.min(REQUESTED.memoryBytes, memoryBytes || REQUESTED.memoryBytes)),
    cpu: cpuText(Math.min(REQUESTED.cpus, cpus || REQUESTED.cpus)),
  }
  const context: V1SecurityContext = {
    allowPrivilegeEscalation: false,
    privileged: false,
    capabilities: { drop: request.capabilities.drop, add: request.capabilities.add },
    ...(owner && { runAsUser: owner.uid, runAsGroup: owner.gid }),
    ...(isShortLived && { readOnlyRootFilesystem: true }),
  }
  return {
    name: MAIN,
    ...imageOf(request.image, own),
    ...commandOf(request),
    workingDir: request.workingDir,
    env: Object.entries(request.env).map(([name, value]) => ({ name, value: literal(value) })),
    stdin: request.openStdin ?? false,
    resources: { limits, requests },
    securityContext: context,
    volumeMounts: [
      ...(claim === null ? [] : [{ name: WORKSPACE, mountPath: request.workingDir }]),
      ...(request.scratch ? [{ name: SCRATCH, mountPath: request.scratch }] : []),
    ],
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
  { chown, claim }: { chown: string; claim: string | null },
): V1Container {
  return {
    name: RULES,
    ...imageOf(own.name, own),
    // A share of a network may refuse it, and then has its own way to know its users.
    command: ['/bin/sh', '-c', `${chown}exec "$@"`, 'sh', ...rules].map(literal),
    workingDir: '/',
    resources: NETWORK_LIMITS,
    securityContext: networkRights(['NET_ADMIN', ...(chown ? ['CHOWN'] : [])]),
    ...(chown && claim !== null && { volumeMounts: [{ name: WORKSPACE, mountPath: '/workspace' }] }),
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
