import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import type { RouteBodyInput } from '../../../server/api/contract/route.ts'
import { batchGetSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import {
  batchGetSandboxSpecs,
  createSandboxSpec,
  deleteSandboxSpec,
  makeSandboxSpecDefault,
  replaceSandboxSpec,
  type SandboxSpecInfo,
  searchSandboxSpecs,
} from '../../../server/api/v1/sandbox/specs.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { outsideDocker } from '../../sandbox/parts.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('create', { scope: 'file' }, ({ service }) => (body: Partial<Body> = {}) => {
    return service.client.call(createSandboxSpec, { body: { title: 'Mine', image, ...body } })
  })
  .extend('list', { scope: 'file' }, ({ service }) => async (): Promise<SandboxSpecInfo[]> => {
    return (await service.client.call(searchSandboxSpecs, { query: {} })).items
  })
  .extend('refusal', { scope: 'file' }, ({ create }) => (body: Partial<Body>) => {
    return create(body).then(
      () => undefined,
      error => ({ status: error.status, message: error.message }),
    )
  })
  /** Started by a conversation without a message; what the engine has of it, and a way to ask it. */
  .extend('started', { scope: 'file' }, ({ service }) => async (specId: string) => {
    const task = await startConversation(service, { sandbox_spec_id: specId })
    expect(task).toMatchObject({ status: 'READY' })
    const container = outsideDocker().getContainer(task.sandbox_id ?? '')
    const run = async (command: string): Promise<string> => {
      const exec = await container.exec({
        Cmd: ['/bin/sh', '-c', command],
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
      })
      const stream = await exec.start({ Tty: true })
      let output = ''
      for await (const chunk of stream) output += String(chunk)
      return output.trim()
    }
    return { task, run, inspect: await container.inspect() }
  })

type Body = RouteBodyInput<typeof createSandboxSpec>
const shared = mkdtempSync(join(tmpdir(), 'atelier-shared-'))
const image = JSON.parse(
  readFileSync(new URL('../../../out/resources/sandbox-image.json', import.meta.url), 'utf8'),
).reference
afterAll(() => {
  rmSync(shared, { recursive: true, force: true })
})
it.afterEach(async ({ list, service }) => {
  for (const { id, built_in } of await list()) {
    if (!built_in) await service.client.call(deleteSandboxSpec, { params: { spec_id: id } })
  }
})

describe('a spec of one’s own', () => {
  it('is what the sandbox gets: limits, variables, folder, mounts', async ({ create, started, service }) => {
    writeFileSync(join(shared, 'hello.txt'), 'from the host')
    const spec = await create({
      working_dir: '/work/here',
      initial_env: { GREETING: 'hello world', TOKENIZERS_PARALLELISM: 'false' },
      limits: { memory_bytes: 200 * 1024 ** 2, cpus: 0.5, pids: 77 },
      mounts: [
        { host_path: shared, container_path: '/mnt/read', mode: 'ro' },
        { host_path: shared, container_path: '/mnt/write', mode: 'rw' },
      ],
    })
    expect(spec).toMatchObject({ built_in: false, is_default: false, image_present: true, command: null })
    const { task, run, inspect } = await started(spec.id)
    expect(inspect.HostConfig).toMatchObject({
      Memory: 200 * 1024 ** 2,
      MemorySwap: 200 * 1024 ** 2,
      NanoCpus: 500_000_000,
      PidsLimit: 77,
    })
    expect(Object.keys(inspect.NetworkSettings.Networks)).toEqual(['bridge'])
    expect(await run('echo $GREETING; cat /mnt/read/hello.txt')).toBe('hello world\r\nfrom the host')
    expect(await run('echo no >/mnt/read/hello.txt')).toContain('Read-only file system')
    await run('echo back >/mnt/write/back.txt')
    expect(readFileSync(join(shared, 'back.txt'), 'utf8')).toBe('back\n')
    expect(await run('ls -d /work/here; pwd')).toBe('/work/here\r\n/work/here')
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [task.sandbox_id ?? ''] } })
    expect(sandbox).toMatchObject({ sandbox_spec_id: spec.id, status: 'RUNNING' })
  })

  it('without a network has no route and no ports, and does not reach the host', async ({
    create,
    started,
    service,
  }) => {
    const spec = await create({ network: 'none', command: ['/bin/sh', '-c', 'exec sleep 1000000'] })
    const { task, run, inspect } = await started(spec.id)
    expect(inspect.HostConfig.NetworkMode).toBe('none')
    expect(inspect.Config.Entrypoint).toEqual(['/bin/sh', '-c', 'exec sleep 1000000'])
    // Below its heading the routing table is empty.
    expect(await run('tail -n +2 /proc/net/route')).toBe('')
    expect(await run('curl -sm 5 http://host.docker.internal/ || echo $?')).toBe('7')
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [task.sandbox_id ?? ''] } })
    expect(sandbox?.exposed_urls?.filter(({ name }) => name !== 'AGENT_SERVER')).toEqual([])
  })

  it('runs in the runtime that it names, and is refused in words where the engine lacks it', async ({
    create,
    started,
    service,
  }) => {
    const { inspect } = await started((await create({ runtime: 'runc' })).id)
    expect(inspect.HostConfig.Runtime).toBe('runc')
    const { id } = await create({ title: 'Elsewhere', runtime: 'there-is-none' })
    await expect(service.client.call(startSandbox, { body: { sandbox_spec_id: id } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/no runtime there-is-none, which "Elsewhere" asks for\. Register it .* runc/),
    })
  })

  it('is kept over a restart, replaced as a whole, and removed', async ({ create, service, list }) => {
    const { id } = await create({ title: 'First', initial_env: { A: '1' } })
    await service.restart()
    expect((await list()).find(spec => spec.id === id)).toMatchObject({ title: 'First', initial_env: { A: '1' } })
    const replaced = await service.client.call(replaceSandboxSpec, {
      params: { spec_id: id },
      body: { title: 'Second', image: 'debian:13' },
    })
    expect(replaced).toMatchObject({ id, title: 'Second', image: 'debian:13' })
    expect(replaced.initial_env).not.toHaveProperty('A')
    await service.client.call(deleteSandboxSpec, { params: { spec_id: id } })
    expect(await service.client.call(batchGetSandboxSpecs, { query: { id: [id] } })).toEqual([null])
    await expect(service.client.call(startSandbox, { body: { sandbox_spec_id: id } })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('whose mount has gone is refused at the start, saying which', async ({ create, service }) => {
    const gone = mkdtempSync(join(tmpdir(), 'atelier-gone-'))
    const { id } = await create({ mounts: [{ host_path: gone, container_path: '/x' }] })
    rmSync(gone, { recursive: true })
    await expect(service.client.call(startSandbox, { body: { sandbox_spec_id: id } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(gone),
    })
  })
})

describe('the default', () => {
  it('is the one that was chosen, and goes with it', async ({ list, create, service }) => {
    const [bundled] = await list()
    const mine = await create({ is_default: true })
    expect((await list()).map(spec => [spec.id, spec.is_default])[0]).toEqual([mine.id, true])
    expect((await list()).filter(spec => spec.is_default)).toHaveLength(1)
    await service.client.call(deleteSandboxSpec, { params: { spec_id: mine.id } })
    expect((await list())[0]).toMatchObject({ id: bundled?.id, is_default: true })
  })

  it('can be a built-in one again', async ({ list, create, service }) => {
    const [bundled] = await list()
    await create({ is_default: true })
    const params = { spec_id: bundled?.id ?? '' }
    expect(await service.client.call(makeSandboxSpecDefault, { params })).toMatchObject({ is_default: true })
    expect((await list())[0]?.id).toBe(bundled?.id)
  })

  it('follows an image that is named in the settings later', async ({ create, service, list }) => {
    const mine = await create({ is_default: true })
    await service.client.call(storeSettings, { body: { sandbox_runtime_container_image: 'debian:13' } })
    expect((await list())[0]).toMatchObject({ id: 'debian:13', built_in: true })
    await service.client.call(makeSandboxSpecDefault, { params: { spec_id: mine.id } })
    expect((await list())[0]?.id).toBe(mine.id)
    await service.client.call(storeSettings, { body: { sandbox_runtime_container_image: null } })
  })
})

describe('refused', () => {
  it('changing or removing a built-in spec, with the reason', async ({ list, service }) => {
    const [bundled] = await list()
    const params = { spec_id: bundled?.id ?? '' }
    const conflict = { status: 409, message: expect.stringContaining('comes with Atelier') }
    await expect(service.client.call(deleteSandboxSpec, { params })).rejects.toMatchObject(conflict)
    const body = { title: 'x', image: 'y' }
    await expect(service.client.call(replaceSandboxSpec, { params, body })).rejects.toMatchObject(conflict)
  })

  it('what nobody knows', async ({ service }) => {
    const params = { spec_id: 'spec-unknown' }
    for (const route of [deleteSandboxSpec, makeSandboxSpecDefault]) {
      await expect(service.client.call(route, { params })).rejects.toMatchObject({ status: 404 })
    }
    const body = { title: 'x', image: 'y' }
    await expect(service.client.call(replaceSandboxSpec, { params, body })).rejects.toMatchObject({ status: 404 })
  })

  it.for(['OPENAI_API_KEY', 'GITHUB_TOKEN', 'db_password', 'MY_SECRET_VALUE', 'APIKEY'])(
    'a secret in the environment (%s), saying where it belongs',
    async (name, { refusal }) => {
      const answer = await refusal({ initial_env: { [name]: 'sk-very-secret' } })
      expect(answer).toMatchObject({ status: 422, message: expect.stringContaining('Settings › Secrets') })
      expect(JSON.stringify(answer)).not.toContain('sk-very-secret')
    },
  )

  it.for<[string, string]>([
    ['the root', '/'],
    ['a system folder', '/etc'],
    ['the engine’s socket', '/var/run/docker.sock'],
    ['a relative path', 'work'],
    ['a path that is not there', '/tmp/atelier-not-there-at-all'],
  ])('a mount of %s', async ([_what, host_path], { refusal }) => {
    expect(await refusal({ mounts: [{ host_path, container_path: '/x' }] })).toMatchObject({ status: 400 })
  })

  it('a mount of Atelier’s own data, also behind a link', async ({ service, refusal }) => {
    const mounts = [{ host_path: service.dataDir, container_path: '/x' }]
    expect(await refusal({ mounts })).toMatchObject({ status: 400, message: expect.stringContaining('own data') })
  })

  it.for<[string, Partial<Body>]>([
    ['two mounts in one place', { mounts: ['a', 'b'].map(name => ({ host_path: `/${name}`, container_path: '/x' })) }],
    ['a mount over the whole sandbox', { mounts: [{ host_path: '/srv', container_path: '/' }] }],
    ['a path with dots', { working_dir: '/work/../etc' }],
    ['no memory to speak of', { limits: { memory_bytes: 1024 } }],
    ['a disk for nothing', { limits: { disk_bytes: 1024 } }],
    ['a runtime that is a path', { runtime: '../runc' }],
    ['an empty title', { title: '  ' }],
    ['an image that reads like an option', { image: '--privileged' }],
  ])('%s', async ([_what, body], { refusal }) => {
    expect(await refusal(body)).toMatchObject({ status: 422 })
  })
})
