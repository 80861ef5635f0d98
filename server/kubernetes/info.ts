import { z } from 'zod'
import type { EngineInfo, EngineRuntime } from '../docker/engine-info.ts'
import { AppError } from '../domain/errors.ts'
import type { ClusterClient } from './client.ts'
import { isStatus, translateErrors } from './errors.ts'

const versionSchema = z.object({ gitVersion: z.string(), platform: z.string(), major: z.string(), minor: z.string() })
const namespaceSchema = z.object({ metadata: z.object({ uid: z.string() }) })
const nodesSchema = z.object({
  items: z.array(
    z.object({
      status: z.object({
        allocatable: z.object({ cpu: z.string(), memory: z.string() }).partial().optional(),
        nodeInfo: z
          .object({ osImage: z.string(), architecture: z.string(), containerRuntimeVersion: z.string() })
          .partial()
          .optional(),
      }),
    }),
  ),
})
const runtimesSchema = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string() }), handler: z.string() })),
})

/** Where nobody may see the nodes: the limits of a spec hold, and the cluster refuses what is too much. */
const UNKNOWN = { cpus: 64, memoryBytes: 256 * 2 ** 30 }
/** Handlers that start containers in the kernel of the node. */
const KERNEL_HANDLER = /(^|-)(runc|crun|youki|nvidia)$/

/** The cluster as an engine: what it has is what its nodes have together. */
export function clusterInfo(client: ClusterClient, signal?: AbortSignal): Promise<EngineInfo> {
  return translateErrors('Asking the cluster', async () => {
    const get = (path: string) => client.request<unknown>('GET', path, { signal })
    const [version, nodes, runtimes, identity] = await Promise.all([
      get('/version').then(found => versionSchema.parse(found)),
      get('/api/v1/nodes').then(found => nodesSchema.parse(found).items, unlessRefused),
      get('/apis/node.k8s.io/v1/runtimeclasses').then(found => runtimesSchema.parse(found).items, unlessRefused),
      identityOf(client, get),
    ])
    const architecture = version.platform.split('/')[1] ?? ''
    const images = new Set(nodes?.flatMap(({ status }) => status.nodeInfo?.osImage ?? []))
    return {
      identity,
      name: 'Kubernetes',
      version: version.gitVersion.replace(/^v/, ''),
      apiVersion: `${version.major}.${version.minor}`,
      operatingSystem: [...images].join(', ') || 'Linux',
      architecture,
      ...sizeOf(nodes),
      canLimitCpus: true,
      canConnectLater: false,
      pauseEndsPrograms: true,
      folder: null,
      users: 'same',
      seccomp: 'engine',
      userNamespace: 'none',
      runtimes: runtimesOf(runtimes),
      logDriver: null,
      canLimitDisk: true,
      details: {
        storageDriver: null,
        fileSystem: null,
        controlGroups: null,
        missingLimits: ['processes'],
        proxies: [],
        time: null,
      },
    }
  })
}

/** Of the namespace: containers of one are not seen in another, by whatever name and address its cluster is reached. */
async function identityOf({ namespace }: ClusterClient, get: (path: string) => Promise<unknown>): Promise<string> {
  const found = await get(`/api/v1/namespaces/${encodeURIComponent(namespace)}`).catch(error => {
    if (isStatus(error, 404))
      throw new AppError('engine_failed', `The cluster has no namespace ${namespace}. Make it first.`)
    if (!isStatus(error, 403)) throw error
    const why =
      'without it, Atelier cannot know whose sandboxes it sees. build/kubernetes/rights.yaml has all that are needed.'
    const message = `This user of the cluster lacks the right to get the namespace ${namespace}: ${why}`
    throw new AppError('engine_failed', message, { cause: error })
  })
  return JSON.stringify(['Kubernetes', namespaceSchema.parse(found).metadata.uid])
}

function sizeOf(nodes: z.infer<typeof nodesSchema>['items'] | undefined): Pick<EngineInfo, 'cpus' | 'memoryBytes'> {
  if (!nodes || nodes.length === 0) return UNKNOWN
  const sum = (part: 'cpu' | 'memory') =>
    nodes.reduce((total, { status }) => total + quantity(status.allocatable?.[part] ?? '0'), 0)
  return { cpus: Math.max(1, Math.floor(sum('cpu'))), memoryBytes: sum('memory') }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
const SUFFIXES: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

function quantity(text: string): number {
  const [, number = '0', suffix = ''] = /^([0-9.eE+-]+?)([a-zA-Z]*)$/.exec(text) ?? []
  return Number(number) * (SUFFIXES[suffix] ?? 1)
}

/** The first is what the nodes take by themselves, which has no name. */
function runtimesOf(classes: z.infer<typeof runtimesSchema>['items'] | undefined): EngineRuntime[] {
  const named = (classes ?? []).map(({ metadata: { name }, handler }) => ({
    name,
    hasKernelNetwork: KERNEL_HANDLER.test(handler),
  }))
  return [{ name: 'default', hasKernelNetwork: true }, ...named.filter(({ name }) => name !== 'default')]
}

function unlessRefused(error: unknown): undefined {
  if (!isStatus(error, 403, 404)) throw error
  return undefined
}
