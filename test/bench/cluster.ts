import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { searchSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { addEngine, listEngines } from '../../server/api/v1/system/engines.ts'
import { timeLimit } from '../../server/async/time-limit.ts'
import { writeLabels } from '../../server/docker/container/labels.ts'
import { openClusterEngine } from '../../server/kubernetes/cluster-engine.ts'
import { instanceOf } from '../parts/engine/containers.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { processorTime, type Row, row, timed } from './process/measure.ts'

const PODS = 1000
const AT_ONCE = 20
/** By then every change has come through. */
const SETTLED_MS = 5000
const CHANGES = 5000
const LATE_MS = 4 * 60_000
const REST_S = 60

/**
 * What a service holds, asks and takes for a thousand sandboxes on a cluster. The API server is a stand-in without nodes: its own
 * time, and that of nodes, is not measured.
 */
export default async function measure(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-cluster-'))
  const cluster = await StandIn.start()
  const kubeconfig = writeKubeconfig(folder, cluster.port)
  process.env.KUBECONFIG = kubeconfig
  const service = await startTestService({})
  try {
    let instanceId = ''
    // Nobody else reads the database of a service that runs.
    await service.restart(() => {
      instanceId = instanceOf(service.dataDir)
    })
    const populated = await timed(() => populate(instanceId, kubeconfig))
    const before = heapMb()
    const { id } = await service.client.call(addEngine, {
      body: { name: 'Stand-in', address: { kind: 'kubernetes', context: 'stand-in', namespace: null } },
    })
    await until(async () => (await engine(service, id))?.running_sandboxes === PODS)
    await quiet(cluster)
    const held = heapMb() - before
    await delay(REST_S * 1000)
    const rest = await cluster.counts()
    const changed = await processorTime(async () => {
      await cluster.change(CHANGES)
      await delay(SETTLED_MS)
    })
    const restarted = await timed(async () => {
      await service.restart()
      await until(async () => (await engine(service, id))?.running_sandboxes === PODS)
    })
    await quiet(cluster)
    const again = await timed(() => service.client.call(searchSandboxes, { query: { limit: 100 } }))
    return [
      value(`Cluster: a pod and a volume made, ${AT_ONCE} at once`, 'ms', (populated * AT_ONCE) / PODS, 500),
      value(`Cluster: memory for each of ${PODS} sandboxes`, 'MB', held / PODS, 0.1),
      value('Cluster: one change of a pod, on the processor', 'ms', changed / CHANGES, 1),
      value(`Cluster: ${PODS} sandboxes known again after a restart`, 'ms', restarted, 10_000),
      value(`Cluster: first page of ${PODS} sandboxes`, 'ms', again, 50),
      value('Cluster: connections at rest', 'descriptors', rest.connections.watches + rest.connections.sockets, 10),
      value('Cluster: requests a second at rest', 'events/s', sum(rest.counts) / REST_S, 10),
    ]
  } finally {
    await service.close()
    cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Counts {
  counts: Record<string, number>
  connections: { watches: number; sockets: number }
}

class StandIn {
  readonly port: number
  readonly #process: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#process = child
    this.port = port
  }

  static async start(): Promise<StandIn> {
    const child = fork(join(projectFolder, 'test', 'bench', 'process', 'cluster.mjs'))
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new StandIn(child, port)
  }

  /** Since it was asked last. */
  async counts(): Promise<Counts> {
    return (await this.#ask('counts')) as Counts
  }

  async change(changes: number): Promise<void> {
    await this.#ask({ changes })
  }

  close(): void {
    this.#process.kill()
  }

  async #ask(message: string | object): Promise<unknown> {
    const answer = once(this.#process, 'message')
    this.#process.send(message)
    return (await answer)[0]
  }
}

function writeKubeconfig(folder: string, port: number): string {
  const path = join(folder, 'kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    // Plain HTTP is refused without it.
    clusters: [{ name: 'stand-in', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'stand-in', context: { cluster: 'stand-in', user: 'nobody', namespace: 'atelier' } }],
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** As another service of the same data folder would have left them. */
async function populate(instanceId: string, kubeconfig: string): Promise<void> {
  const options = {
    kubeconfigPaths: [kubeconfig],
    context: 'stand-in',
    namespace: null,
    ownImage: { name: 'own:1', reference: null, pullSecrets: [] },
    capabilities: { drop: ['ALL'], add: [] },
    isMade: () => false,
    owner: 'ada@laptop',
    closing: [],
  }
  const cluster = await openClusterEngine(options)
  let next = 0
  const work = async () => {
    for (let number = next++; number < PODS; number = next++) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + number).toISOString()
      await cluster.startContainer(
        await cluster.createContainer({
          ...{ name: `atelier-stand-in-${number}`, image: 'own:1', command: [], entrypoint: ['sleep', '1000'] },
          ...{ workingDir: '/workspace/project', env: {}, ports: [], user: '0:0', openStdin: true },
          ...{ memoryBytes: 2 ** 30, cpus: 1, pids: 100, capabilities: { drop: ['ALL'], add: [] } },
          ...{ network: 'bridge', extraHosts: [], mounts: [] },
          labels: writeLabels({ instanceId, specId: 'own:1', createdAt, network: 'full' }),
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await cluster.close()
}

async function engine(service: TestService, id: string) {
  const { items } = await service.client.call(listEngines, {})
  return items.find(each => each.id === id)
}

/** Nothing was asked for a second. */
async function quiet(cluster: StandIn): Promise<void> {
  await until(async () => {
    await cluster.counts()
    await delay(1000)
    return sum((await cluster.counts()).counts) < 5
  })
}

async function until(is: () => Promise<boolean>): Promise<void> {
  const late = timeLimit(LATE_MS)
  while (!(await is())) await delay(100, undefined, { signal: late })
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function heapMb(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

function value(what: string, unit: Row['unit'], atelier: number, atMost: number): Row {
  return row({ what, unit, atelier, bare: null, runs: 1, aim: { kind: 'value', atMost } })
}
