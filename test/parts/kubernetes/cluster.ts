import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeLimit } from '../../../server/async/time-limit.ts'
import type { EngineSearch } from '../../../server/docker/socket.ts'
import { ClusterClient } from '../../../server/kubernetes/client.ts'
import { openClusterEngine } from '../../../server/kubernetes/cluster-engine.ts'
import type { ClusterEngine } from '../../../server/kubernetes/engine.ts'
import type { OwnImage } from '../../../server/kubernetes/pod.ts'
import { isMade } from '../../../server/sandbox/engine/clusters.ts'
import { closedRules } from '../../../server/sandbox/network/rules.ts'
import { SANDBOX } from '../../../server/sandbox/spec.ts'
import { type Parts, type PartsOptions, startParts } from '../../sandbox/parts.ts'
import { TestFolder } from '../test-folder.ts'

const resources = join(import.meta.dirname, '..', '..', '..', 'out', 'resources')

/** Which the cluster has, as `npm run test:kubernetes` sees to. */
export const IMAGE: string = JSON.parse(readFileSync(join(resources, 'sandbox-image.json'), 'utf8')).reference

const OWN_IMAGE: OwnImage = { name: IMAGE, reference: null, pullSecrets: [] }

export function kubeconfigPath(): string {
  const path = process.env.KUBECONFIG_UNDER_TEST
  if (path) return path
  throw new Error('These tests need KUBECONFIG_UNDER_TEST. Run them with: npm run test:kubernetes')
}

interface Opened {
  namespace?: string
  /** Of another user. */
  token?: string
  ownImage?: OwnImage
}

export async function openEngine({ namespace, token, ownImage = OWN_IMAGE }: Opened = {}): Promise<ClusterEngine> {
  const config = await readConfig()
  const folder = new TestFolder()
  try {
    const path = join(folder.path, 'kubeconfig')
    writeFileSync(path, token === undefined ? config.exportConfig() : await kubeconfigOf({ token }), { mode: 0o600 })
    return await openClusterEngine({
      kubeconfigPaths: [path],
      context: config.getCurrentContext(),
      namespace: namespace ?? null,
      closing: ['nft', closedRules()],
      ownImage,
      capabilities: SANDBOX.capabilities,
      owner: 'ada@laptop',
      isMade,
    })
  } finally {
    folder.remove()
  }
}

/** With one context, of the cluster under test. */
export async function kubeconfigOf({ token, namespace }: { token: string; namespace?: string }): Promise<string> {
  const config = await readConfig()
  config.users = config.users.map(({ name }) => ({ name, token }))
  config.contexts = config.contexts.map(context => ({ ...context, ...(namespace && { namespace }) }))
  return config.exportConfig()
}

/** For what only a test asks of a cluster. */
export async function openClient(): Promise<ClusterClient> {
  const config = await readConfig()
  return new ClusterClient(config, { endpoint: config.getCurrentCluster()?.server ?? '', namespace: 'default' })
}

async function readConfig() {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromFile(kubeconfigPath())
  return config
}

/** The parts that make sandboxes, in the cluster; `close` leaves nothing of them there. */
export async function startClusterParts(options: Pick<PartsOptions, 'instanceId' | 'minuteMs'> = {}): Promise<Parts> {
  // Nothing looks for one here.
  process.env.DOCKER_HOST ??= 'unix:///nowhere/docker.sock'
  const find = async (signal: AbortSignal): Promise<EngineSearch> => {
    const engine = await openEngine()
    return { kind: 'found', engine, info: await engine.info(signal) }
  }
  const parts = await startParts({ ...options, find })
  // It may take longer than the first look.
  await parts.connection.answers(timeLimit(60_000))
  const close = async () => {
    await parts.stop()
    const engine = await openEngine()
    const left = await engine.listObjects({ 'dev.atelier.instance': parts.instanceId })
    await Promise.all(left.map(object => engine.removeObject(object)))
    await engine.close()
  }
  return { ...parts, close }
}

export function apiServer(): { host: string; port: number } {
  const [, host = '', port = ''] =
    /server"?:\s*"?https:\/\/([^:"]+):(\d+)/.exec(readFileSync(kubeconfigPath(), 'utf8')) ?? []
  return { host, port: Number(port) }
}

/** Commands of `cluster.sh` for the cluster that was made for this run; undefined in another one. */
export const ownCluster = clusterCommand(process.env.ATELIER_TEST_CLUSTER)

function clusterCommand(text: string | undefined) {
  if (!text) return undefined
  const [shell = '', script = '', folder = ''] = JSON.parse(text) as string[]
  return (command: 'stop-apiserver' | 'start-apiserver') =>
    void execFileSync(shell, [script, command, folder], { stdio: 'pipe' })
}
