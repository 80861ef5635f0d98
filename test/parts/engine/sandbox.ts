import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type Docker from 'dockerode'
import pino from 'pino'
import { pack } from 'tar-stream'
import { Bus } from '../../../server/bus.ts'
import { createClient } from '../../../server/docker/client.ts'
import { DockerodeEngine } from '../../../server/docker/dockerode-engine.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { KeptShells } from '../../../server/sandbox/command/kept-shells.ts'
import { ContainerHandle } from '../../../server/sandbox/container-handle.ts'
import { SandboxMemory } from '../../../server/sandbox/memory/kills.ts'
import { SandboxNetworks } from '../../../server/sandbox/network/networks.ts'
import { containerRequest, sandboxSpecs } from '../../../server/sandbox/spec.ts'
import { isOnCluster } from '../kubernetes/on-cluster.ts'
import { projectFolder } from '../project-folder.ts'
import { browserImage } from '../window/browser.ts'

export interface TestSandbox {
  handle: SandboxHandle
  close(): Promise<void>
}

/**
 * What the image has: everything of the default one, that one without bash (dash is /bin/sh), busybox and nothing else, or
 * a browser too.
 */
export type Inside = 'default' | 'dash' | 'busybox' | 'browser'

/** A real sandbox for the tests of one file. The engine is the one of DOCKER_HOST. */
export async function startTestSandbox(inside: Inside = 'default'): Promise<TestSandbox> {
  if (isOnCluster) return startInCluster(inside)
  const host = process.env.DOCKER_HOST
  if (!host)
    throw new Error(
      'DOCKER_HOST is not set. Run the tests with `npm test`, or with the vitest configuration in build/.',
    )
  const client = createClient({ host, certificates: undefined })
  const engine = new DockerodeEngine(host, client)
  const image = await imageWith(inside, client.docker)
  const [spec] = sandboxSpecs(image, { base: null, runtime: null })
  if (!spec) throw new Error('There is no sandbox spec.')
  const identity = { id: `atelier-test-${randomToken(12)}`, instanceId: 'test', createdAt: new Date().toISOString() }
  const info = await engine.info()
  const networks = new SandboxNetworks({
    connection: { engine: () => engine, info: () => info },
    images: { reference: defaultImage(), ensure: async () => {} },
    instanceId: identity.instanceId,
    hold: () => () => {},
    bus: new Bus(),
    log: pino({ level: 'silent' }),
    // The servers of tests are on this machine.
    allowedHosts: () => ['localhost'],
    sandboxes: () => [],
    policies: { get: () => undefined, save: () => {}, forget: () => {} },
  })
  const containerId = await engine.createContainer(containerRequest(spec, identity, info, null))
  await networks.startAgain(containerId)
  const handle = new ContainerHandle({
    id: identity.id,
    containerId,
    workingDir: spec.workingDir,
    user: null,
    engine: () => engine,
    networks,
    shells: new KeptShells(),
    idle: { use: async () => () => {}, touch: () => {}, end: (_id, work) => work() },
    memory: new SandboxMemory({ sandboxes: () => [identity], onChange: () => {} }),
  })
  if (inside === 'dash') await handle.exec(WITHOUT_BASH)
  return {
    handle,
    close: async () => {
      await networks.close()
      await engine.removeContainer(containerId)
      await engine.close()
    },
  }
}

const WITHOUT_BASH = { argv: ['/bin/sh', '-c', 'rm -f /bin/bash /usr/bin/bash'] }

/** Whether there is such a sandbox where these tests run: the nodes of a cluster have the default image alone. */
export function canBe({ inside }: { inside: Inside }): boolean {
  return !isOnCluster || inside === 'default' || inside === 'dash'
}

async function startInCluster(inside: Inside): Promise<TestSandbox> {
  if (!canBe({ inside })) throw new Error(`The cluster under test has no image with ${inside}.`)
  const { startClusterParts } = await import('../kubernetes/cluster.ts')
  const parts = await startClusterParts()
  const handle = await parts.sandboxes.open((await parts.sandboxes.start()).id)
  if (inside === 'dash') await handle.exec(WITHOUT_BASH)
  return { handle, close: parts.close }
}

async function imageWith(inside: Inside, docker: ReturnType<typeof createClient>['docker']): Promise<string> {
  if (inside === 'browser') return browserImage()
  return inside === 'busybox' ? busyboxImage(docker) : defaultImage()
}

export function defaultImage(): string {
  const file = join(projectFolder, 'out/resources/sandbox-image.json')
  const { reference } = JSON.parse(readFileSync(file, 'utf8'))
  return String(reference)
}

const BUSYBOX_IMAGE = 'atelier-test/busybox:1'
const APPLETS = [
  'sh',
  'cat',
  'chmod',
  'cp',
  'id',
  'kill',
  'ln',
  'ls',
  'mkdir',
  'mv',
  'printf',
  'pwd',
  'rm',
  'seq',
  'sleep',
  'stty',
  'wc',
]

/** Made of Debian's statically linked busybox, as small as an image can be. */
export async function busyboxImage(docker: Docker): Promise<string> {
  const present = await docker
    .getImage(BUSYBOX_IMAGE)
    .inspect()
    .catch(() => undefined)
  if (present) return BUSYBOX_IMAGE
  const binary = ['/bin/busybox', '/usr/bin/busybox'].find(path => existsSync(path))
  if (!binary) throw new Error('busybox is missing. Install it: apt-get install busybox-static.')
  const tar = pack()
  for (const name of ['bin', 'tmp', 'etc', 'workspace']) tar.entry({ name, type: 'directory' })
  tar.entry({ name: 'bin/busybox', mode: 0o755 }, readFileSync(binary))
  for (const name of APPLETS) tar.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox' })
  tar.entry({ name: 'etc/passwd' }, 'root:x:0:0:root:/:/bin/sh\n')
  tar.finalize()
  const [repo, tag] = BUSYBOX_IMAGE.split(':')
  const progress = await docker.importImage(Readable.from(tar), { repo, tag })
  progress.resume()
  await new Promise(resolve => progress.once('close', resolve).once('end', resolve))
  return BUSYBOX_IMAGE
}
