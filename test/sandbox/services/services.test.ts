import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import type { SandboxServices } from '../../../server/sandbox/services/services.ts'
import { startRegistry } from '../../docker/registry.ts'
import { run } from '../../fixtures/closed-sandbox.ts'
import { type Parts, until } from '../parts.ts'
import { ask, FOLDER, it, openServices, SERVER, settled, start } from './parts.ts'

const signal = new AbortController().signal

const compose = (image: string) => `
services:
  web: {build: .}
  db:
    image: ${image}
    hostname: database
    command: ["python3", "/srv/server.py", "5432", "/srv/words/first"]
    expose: [5432]
    volumes: ["data:/data", "./server.py:/srv/server.py:ro", "./words:/srv/words:ro"]
    healthcheck: {test: "test -s /data/starts", interval: 500ms}
  queue:
    image: ${image}
    command: python3 /srv/server.py 5672
    expose: ["5672"]
    volumes: ["./server.py:/srv/server.py"]
    depends_on: {db: {condition: service_healthy}}
  twin: {image: "${image}", command: sleep 1000, ports: ["5673:5672"]}
  thief: {image: "${image}", volumes: ["/var/run/docker.sock:/var/run/docker.sock"]}
  broken: {image: "${image}", command: sh -c "echo no license; exit 3"}
volumes: {data: {}}
`

/** In an included file: what ends is started again as it says. */
const failing = (image: string) => `
services:
  steady:
    image: ${image}
    command: sh -c "test -e /data/once || { touch /data/once; exit 1; }; exec sleep 1000"
    volumes: ["./data:/data"]
    restart: always
  hopeless: {image: "${image}", command: sh -c "echo no license; exit 3", restart: "on-failure:2"}
  circling: {image: "${image}", command: sh -c "sleep 1; echo around; exit 1", restart: unless-stopped}
`

interface Project {
  network?: 'full' | 'none'
  services?: (image: string) => string
}

async function project(parts: Parts, { network = 'full', services = compose }: Project = {}): Promise<SandboxHandle> {
  const image = parts.images.reference ?? ''
  const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: 'shop', image, network }))
  const { id } = await parts.sandboxes.start(spec.id)
  const sandbox = await parts.sandboxes.open(id, FOLDER)
  await sandbox.writeFiles(FOLDER, [
    { path: 'compose.yaml', content: Buffer.from('include: [parts/services.yaml, parts/missing.yaml]') },
    { path: 'parts/services.yaml', content: Buffer.from(services(image).replaceAll('"./', '"../')) },
    { path: 'server.py', content: Buffer.from(SERVER) },
    { path: 'words/first', content: Buffer.from('welcome') },
  ])
  return sandbox
}

const states = (list: Awaited<ReturnType<SandboxServices['list']>>) =>
  Object.fromEntries(list.services.map(({ name, state }) => [name, state]))

const left = async (parts: Parts, id: string) => {
  const filters = { label: [`dev.atelier.sandbox=${id}`] }
  const [containers, { Volumes }] = await Promise.all([
    parts.outside.listContainers({ all: true, filters }),
    parts.outside.listVolumes({ filters }),
  ])
  return [...containers.map(({ Names }) => Names[0]), ...(Volumes ?? []).map(({ Name }) => Name)]
}

it('services of a project are reached by name and at localhost, keep their files, and go with their sandbox', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts)
  const begun = await services.list(sandbox.id, signal)
  expect(states(begun)).toEqual({ db: 'not_started', queue: 'not_started', broken: 'not_started' })
  expect(begun.left_out).toEqual([
    { name: 'parts/missing.yaml', reason: expect.stringContaining('is not there') },
    { name: 'web', reason: expect.stringContaining('Dockerfile parts/Dockerfile is not there') },
    { name: 'thief', reason: expect.stringContaining('/var/run/docker.sock') },
    { name: 'twin', reason: expect.stringContaining('port 5672') },
  ])
  const list = await start(parts, services, sandbox)
  // One that ends at once has failed, or worked for a moment.
  expect(states(list)).toEqual({ db: 'healthy', queue: 'running', broken: expect.stringMatching(/^(failed|exited)$/) })
  expect(list.services.find(({ name }) => name === 'broken')?.detail).toContain('Exit code 3. It said: no license')
  expect(list.services[0]).toMatchObject({ ports: [5432], memory_bytes: expect.any(Number) })
  const answers = await Promise.all(['db', 'database', 'localhost'].map(host => run(sandbox, ask(host, 5432))))
  expect(answers).toEqual(['welcome 1\n', 'welcome 1\n', 'welcome 1\n'])
  expect(await run(sandbox, ask('queue', 5672))).toBe('hello 1\n')
  expect(await services.log(sandbox.id, 'db', 10)).toBe('listening on 5432\n')
  expect(services.known(sandbox.id)).toEqual(
    expect.arrayContaining([{ name: 'db', image: parts.images.reference, ports: [5432], problem: null }]),
  )
  expect(services.known(sandbox.id).find(({ name }) => name === 'broken')?.problem).toContain('Exit code 3')
  // None of them counts as a sandbox.
  expect(parts.sandboxes.count().running).toBe(1)

  await services.restart(sandbox.id, ['db'], signal)
  await settled(parts, services, sandbox.id)
  expect(await run(sandbox, ask('db', 5432))).toBe('welcome 2\n')

  await services.remove(sandbox.id, signal)
  expect(await left(parts, sandbox.id)).toEqual([])
  await start(parts, services, sandbox)
  expect(await run(sandbox, ask('db', 5432))).toBe('welcome 1\n')
  expect(await left(parts, sandbox.id)).toHaveLength(4)

  await parts.sandboxes.delete(sandbox.id)
  await expect.poll(() => left(parts, sandbox.id)).toEqual([])
})

it('a service has no more rights and no more network than its sandbox, and no other sandbox reaches it', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts, { network: 'none' })
  const other = await project(parts)
  await start(parts, services, sandbox)
  expect(await run(sandbox, ask('db', 5432))).toBe('welcome 1\n')
  const { stdout } = await other.exec({ argv: ['/bin/sh', '-c', `${ask('localhost', 5432)} || echo refused`] })
  expect(stdout).toBe('refused\n')
  const container = parts.outside.getContainer(`${sandbox.id}-db`)
  const own = await parts.outside.getContainer(sandbox.id).inspect()
  const { HostConfig, Mounts } = await container.inspect()
  expect(HostConfig).toMatchObject({
    NetworkMode: `container:${own.Id}`,
    Privileged: false,
    CapDrop: ['ALL'],
    CapAdd: own.HostConfig.CapAdd,
    SecurityOpt: own.HostConfig.SecurityOpt,
    PidsLimit: 512,
  })
  expect(Mounts.map(({ Type, Destination }) => [Type, Destination])).toEqual([['volume', '/data']])
  const exec = await container.exec({ Cmd: ['ls', '/sys/class/net'], AttachStdout: true, Tty: true })
  const stream = await exec.start({ Tty: true })
  let interfaces = ''
  for await (const chunk of stream) interfaces += chunk
  expect(interfaces.trim()).toBe('lo')
  for (const { id } of [sandbox, other]) await parts.sandboxes.delete(id)
})

it('services are paused, resumed and started anew with their sandbox, also when others do that', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts)
  await start(parts, services, sandbox)
  const stateOfDb = async () => states(await services.list(sandbox.id, signal)).db
  const becomes = (state: string) => until(parts.bus, async () => ((await stateOfDb()) === state ? state : undefined))
  await parts.sandboxes.pause(sandbox.id)
  await becomes('paused')
  await parts.sandboxes.resume(sandbox.id)
  await becomes('healthy')
  expect(await run(sandbox, ask('db', 5432))).toBe('welcome 1\n')

  await parts.outside.getContainer(sandbox.id).stop({ t: 0 })
  await becomes('exited')
  await parts.sandboxes.resume(sandbox.id)
  await becomes('healthy')
  await expect.poll(() => run(sandbox, ask('db', 5432)).catch(() => '')).toBe('welcome 2\n')
  await expect.poll(() => run(sandbox, ask('queue', 5672)).catch(() => '')).toBe('hello 2\n')
  await parts.sandboxes.delete(sandbox.id)
})

it('a service that ends is started again as its file says, no further than its sandbox runs, and agents know of it', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts, { services: failing })
  await start(parts, services, sandbox)
  const service = async (name: string) =>
    (await services.list(sandbox.id, signal)).services.find(each => each.name === name)
  const steady = await until(parts.bus, async () => {
    const found = await service('steady')
    return found?.state === 'running' && found.restarts > 0 ? found : undefined
  })
  expect(steady).toMatchObject({ restarts: 1, detail: null })
  const hopeless = await until(parts.bus, async () => {
    const found = await service('hopeless')
    // It may have ended for good before its start was over.
    return found && ['exited', 'failed'].includes(found.state) && found.restarts === 2 ? found : undefined
  })
  const why = expect.stringMatching(/Exit code 3\. It said: no license$/)
  expect(hopeless.detail).toEqual(why)
  const restarting = await until(parts.bus, async () => {
    const found = await service('circling')
    return found?.state === 'restarting' ? found : undefined
  })
  expect(restarting.detail).toBe('It ends by itself, and is started again. Exit code 1. It said: around')
  expect(services.known(sandbox.id)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'steady', problem: null }),
      expect.objectContaining({ name: 'hopeless', problem: why }),
    ]),
  )
  // The engine cannot pause one that it is about to start again.
  await parts.sandboxes.pause(sandbox.id)
  const circling = parts.outside.getContainer(`${sandbox.id}-circling`)
  await expect.poll(async () => (await circling.inspect()).State.Paused).toBe(true)
  await parts.sandboxes.resume(sandbox.id)
  await services.stop(sandbox.id, ['circling'], signal)
  expect(await service('circling')).toMatchObject({ state: 'exited' })
  await parts.sandboxes.delete(sandbox.id)
})

it('the image of a service is fetched with its progress, which a stop ends, and one that cannot be fetched says so', async ({
  parts,
  services,
}) => {
  const registry = await startRegistry(process.arch === 'arm64' ? 'arm64' : 'amd64')
  const unknown = `${registry.reference.split('/')[0]}/test/unknown@sha256:${'0'.repeat(64)}`
  const compose = () => `services: {far: {image: "${registry.reference}"}, unknown: {image: "${unknown}"}}`
  const sandbox = await project(parts, { services: compose })
  const service = async (name: string) =>
    (await services.list(sandbox.id, signal)).services.find(each => each.name === name)
  const isPulling = async () => {
    const found = await service('far')
    return found?.state === 'pulling' && /MB/.test(found.detail ?? '') ? found : undefined
  }
  await services.begin(sandbox.id, null, signal)
  await until(parts.bus, isPulling)
  await services.stop(sandbox.id, null, signal)
  await registry.dropped
  expect(await service('far')).toMatchObject({ state: 'not_started', detail: null })

  await services.begin(sandbox.id, null, signal)
  await until(parts.bus, isPulling)
  registry.release()
  const list = await settled(parts, services, sandbox.id)
  // There is no program in it.
  expect(states(list)).toEqual({ far: 'failed', unknown: 'failed' })
  expect(list.services.find(({ name }) => name === 'unknown')?.detail).toContain('test/unknown')
  expect(await parts.images.isPresent(registry.reference)).toBe(true)
  await parts.sandboxes.delete(sandbox.id)
  await parts.outside.getImage(registry.reference).remove({ force: true })
  await registry.close()
})

it('what a service and its process leave behind when both die is removed by the next one', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts)
  await start(parts, services, sandbox)
  await services.close()
  await parts.outside.getContainer(sandbox.id).remove({ force: true })
  expect(await left(parts, sandbox.id)).not.toEqual([])
  const next = openServices(parts)
  await expect.poll(() => left(parts, sandbox.id)).toEqual([])
  await next.close()
})
