import { randomBytes } from 'node:crypto'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ensureTestUser } from '../../build/as-user.mjs'
import type { NetworkPolicy } from '../../server/api/network-policy.ts'
import { sandboxSpecRequest } from '../../server/api/v1/sandbox/specs.ts'
import { thisMachine } from '../../server/docker/candidates.mjs'
import type { EngineInfo } from '../../server/docker/engine-info.ts'
import { findEngine } from '../../server/docker/socket.ts'
import { inPlaceMounts } from '../../server/folder/mount/layout.ts'
import { it as base } from '../fixtures/base.ts'
import { FarEngine } from '../parts/engine/far-engine.ts'
import { OwnEngine } from '../parts/engine/own-engine.ts'
import { PodmanEngine } from '../parts/engine/podman-engine.ts'
import { PORTABLE_CASES, sh } from '../parts/engine/portable-cases.ts'
import { RootlessDocker } from '../parts/engine/rootless-docker.ts'
import { TestFolder } from '../parts/test-folder.ts'
import { startParts } from '../sandbox/parts.ts'

const never = new AbortController().signal

const LIST: NetworkPolicy = { network: 'allowlist', allowlist: { presets: [], hosts: ['allowed.test'] } }

/** Without control groups of version 2 nobody but root can freeze processes. */
const CANNOT_FREEZE = /cgroup/i

interface Kind {
  open(): {
    readonly host: string
    /** With what opens the way to it, beside DOCKER_HOST. */
    readonly env?: NodeJS.ProcessEnv
    start(): Promise<void>
    kill?(): Promise<void>
    close(): Promise<void>
  }
  userNamespace: EngineInfo['userNamespace']
  canPause: boolean
  /** Of a folder that a person would work on; absent where its files would be nobody's. */
  owner?(): Promise<{ uid: number; gid: number }>
  /** When its service dies. */
  keepsContainers: boolean
}

const testUser = async () => {
  const { uid, gid } = await ensureTestUser()
  return { uid, gid }
}

const KINDS: Record<string, Kind> = {
  Podman: {
    open: () => new PodmanEngine('root'),
    userNamespace: 'none',
    canPause: true,
    keepsContainers: true,
    owner: async () => ({ uid: 1234, gid: 1235 }),
  },
  'Podman of a user': {
    open: () => new PodmanEngine('rootless'),
    userNamespace: 'rootless',
    canPause: false,
    keepsContainers: true,
    owner: testUser,
  },
  'Docker of a user': {
    open: () => new RootlessDocker(),
    userNamespace: 'rootless',
    canPause: false,
    keepsContainers: false,
    owner: testUser,
  },
  'Docker with remapped users': {
    open: () =>
      new OwnEngine({
        folder: mkdtempSync(join(tmpdir(), 'atelier-remapping-')),
        hasOwnNetwork: true,
        remapsUsers: true,
      }),
    userNamespace: 'remapped',
    canPause: true,
    keepsContainers: false,
  },
  'Docker over SSH': {
    open: () => new FarEngine('ssh'),
    userNamespace: 'none',
    canPause: true,
    keepsContainers: false,
  },
  'Docker over TLS': {
    open: () => new FarEngine('tls'),
    userNamespace: 'none',
    canPause: true,
    keepsContainers: false,
  },
}

function withEngine({ open }: Pick<Kind, 'open'>) {
  return base
    .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
      const engine = open()
      onCleanup(() => engine.close())
      await engine.start()
      return engine
    })
    .extend('parts', { scope: 'file' }, async ({ engine }, { onCleanup }) => {
      const machine = { ...thisMachine(), env: { ...process.env, ...engine.env, DOCKER_HOST: engine.host } }
      const parts = await startParts({ find: signal => findEngine(machine, signal) })
      onCleanup(() => parts.close())
      await parts.connection.answers(never)
      return parts
    })
    .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
}

const withGVisor = withEngine({
  open: () =>
    new OwnEngine({
      folder: mkdtempSync(join(tmpdir(), 'atelier-gvisor-')),
      hasOwnNetwork: true,
      // In the network of this engine it takes its own for that of the machine, and refuses to start with one.
      runtimes: { runsc: { path: '/usr/bin/runsc', runtimeArgs: ['--network=none', '--platform=ptrace'] } },
    }),
})
  .extend('spec', { scope: 'file' }, async ({ parts }) => {
    const image = parts.images.reference ?? ''
    return parts.specs.create(sandboxSpecRequest.parse({ title: 'gVisor', image, network: 'none', runtime: 'runsc' }))
  })
  .extend('isolated', { scope: 'file' }, async ({ parts, spec }) =>
    parts.sandboxes.open((await parts.sandboxes.start(spec.id)).id),
  )

describe('Docker with gVisor', () => {
  withGVisor('is known to have networks of its own', ({ parts }) => {
    expect(parts.connection.info().runtimes).toContainEqual({ name: 'runsc', hasKernelNetwork: false })
  })

  withGVisor('runs programs in a kernel that is not that of this machine', async ({ isolated, parts, spec }) => {
    expect(await sh(isolated, 'dmesg')).toMatchObject({ stdout: expect.stringContaining('Starting gVisor') })
    expect((await parts.sandboxes.get(isolated.id)).status).toBe('RUNNING')
    expect(spec.runtime).toBe('runsc')
  })

  withGVisor.for(PORTABLE_CASES)('%s', ([_name, run], { isolated }) => run(isolated))
})

const ALL = Object.entries(KINDS).map(([name, kind]) => [name, kind, withEngine(kind)] as const)

describe.each(ALL)('%s', (_name, kind, it) => {
  it('is known by what it is', ({ parts, engine }) => {
    expect(parts.connection.status()).toMatchObject({ state: 'ready', endpoint: engine.host })
    expect(parts.connection.info().userNamespace).toBe(kind.userNamespace)
  })

  it.for(PORTABLE_CASES)('%s', ([_name, run], { sandbox }) => run(sandbox))

  it('knows how a process ended that was gone before its input came', async ({ parts, sandbox }) => {
    const request = { argv: ['/bin/sh', '-c', 'exit 4'], stdin: true }
    const process = await parts.connection.engine().exec(sandbox.id, request)
    for (const output of [process.stdout, process.stderr]) output.resume()
    // Its engine closes the connection while the service is busy with something else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    await process.write(randomBytes(1_000_000))
    expect(await process.exitCode).toBe(4)
  })

  it('gives sandboxes of the network `none` no route', async ({ parts, engine: { host } }) => {
    const image = parts.images.reference ?? ''
    const { id: closed } = await parts.specs.create(sandboxSpecRequest.parse({ title: host, image, network: 'none' }))
    const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(closed)).id)
    expect((await sh(sandbox, 'cat /proc/net/route')).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('answers a sandbox with a list by its gateway, which ends what is not on it', async ({ parts }) => {
    const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(null, { policy: LIST })).id)
    expect([35, 52, 56]).toContain((await sh(sandbox, 'curl -sSk -m 15 https://other.test/')).exitCode)
  })

  it('pauses, goes on, and removes what it has made, or says why it cannot', async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const refusal = await parts.sandboxes.pause(id).then(
      () => '',
      error => String(error.message),
    )
    if (kind.canPause) expect(refusal).toBe('')
    if (refusal) expect(refusal).toMatch(CANNOT_FREEZE)
    expect((await parts.sandboxes.get(id)).status).toBe(refusal ? 'RUNNING' : 'PAUSED')
    if (!refusal) await parts.sandboxes.resume(id)
    const sandbox = await parts.sandboxes.open(id)
    expect((await sh(sandbox, 'echo on')).stdout).toBe('on\n')
    await parts.sandboxes.delete(id)
    const left = await parts.connection.engine().listObjects({ 'dev.atelier.instance': parts.instanceId })
    expect(left.filter(({ name }) => name.includes(id))).toEqual([])
  })

  const { owner: ownerOf, keepsContainers } = kind
  if (ownerOf) {
    it('works on a folder where it is, whose files stay those of its owner', async ({ parts }) => {
      const owner = await ownerOf()
      const folder = new TestFolder().write({ 'a.txt': 'one\n' }).giveTo(owner)
      const { users } = parts.connection.info()
      const mounted = await inPlaceMounts({ path: folder.path, repository: null }, users)
      const { id } = await parts.sandboxes.start(null, { folder: mounted })
      const sandbox = await parts.sandboxes.open(id, mounted.path)
      await sandbox.writeFile(`${mounted.path}/b.txt`, Buffer.from('two'))
      expect(await sh(sandbox, 'echo three >c.txt && cat a.txt')).toMatchObject({ stdout: 'one\n', exitCode: 0 })
      for (const name of ['b.txt', 'c.txt']) expect(statSync(join(folder.path, name))).toMatchObject(owner)
      await parts.sandboxes.delete(id)
      folder.remove()
    })
  }

  // The containers of a Docker that was killed end when it starts again: test/api/engine/killed.test.ts
  if (keepsContainers) {
    it('goes on with its sandboxes when its service has died', async ({ parts, engine, sandbox }) => {
      await engine.kill?.()
      await expect.poll(() => parts.connection.status().state).toBe('unavailable')
      await engine.start()
      await parts.connection.answers(never)
      expect((await sh(sandbox, 'echo still')).stdout).toBe('still\n')
    })
  }
})
