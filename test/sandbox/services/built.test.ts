import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { run } from '../../fixtures/closed-sandbox.ts'
import { type Parts, until } from '../parts.ts'
import { ask, FOLDER, it, SERVER, settled, start } from './parts.ts'

const signal = new AbortController().signal

const COMPOSE = `
services:
  mail:
    build: {context: ./mail, dockerfile: ../docker/mail.Dockerfile, args: {GREETING: welcome}, target: run}
    expose: [2525]
`

const dockerfile = (image: string, step = 'true') => `
FROM ${image} AS run
ARG GREETING
COPY . /srv/
RUN ${step}
RUN echo "$GREETING" $(ls /sys/class/net) $(ls -A /srv) >/srv/words
CMD ["python3", "/srv/server.py", "2525", "/srv/words"]
FROM run AS other
RUN exit 1
`

async function project(
  parts: Parts,
  { network = 'full', step, compose = COMPOSE }: { network?: 'full' | 'none'; step?: string; compose?: string } = {},
): Promise<SandboxHandle> {
  const image = parts.images.reference ?? ''
  const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: 'shop', image, network }))
  const { id } = await parts.sandboxes.start(spec.id)
  const sandbox = await parts.sandboxes.open(id, FOLDER)
  await sandbox.writeFiles(FOLDER, [
    { path: 'compose.yaml', content: Buffer.from(compose) },
    { path: 'docker/mail.Dockerfile', content: Buffer.from(dockerfile(image, step)) },
    { path: 'mail/server.py', content: Buffer.from(SERVER) },
    { path: 'mail/secret.env', content: Buffer.from('not for the image') },
    { path: 'mail/.dockerignore', content: Buffer.from('secret.env\n') },
  ])
  return sandbox
}

/** Names of what was built for a sandbox. */
async function built(parts: Parts, id: string): Promise<string[]> {
  const found = await parts.outside.listImages({ filters: { label: [`dev.atelier.sandbox=${id}`] } })
  return found.flatMap(({ RepoTags }) => RepoTags ?? []).filter(name => name.includes('atelier-service:'))
}

it('a service is built from a folder of the repository, anew when its files change, and its image goes with it', async ({
  parts,
  services,
}) => {
  const sandbox = await project(parts)
  const list = await start(parts, services, sandbox)
  expect(list.services).toMatchObject([{ name: 'mail', state: 'running', ports: [2525] }])
  const answer = (await run(sandbox, ask('mail', 2525))).trim()
  expect(answer).toMatch(/^welcome .*\blo\b.* server\.py 1$/)
  expect(answer).not.toContain('secret.env')
  const [first, ...others] = await built(parts, sandbox.id)
  expect(others).toEqual([])
  await start(parts, services, sandbox)
  expect(await built(parts, sandbox.id)).toEqual([first])
  await sandbox.writeFiles(FOLDER, [{ path: 'mail/more', content: Buffer.from('x') }])
  await services.restart(sandbox.id, null, signal)
  await settled(parts, services, sandbox.id)
  expect(await run(sandbox, ask('mail', 2525))).toContain(' more server.py ')
  const [second, ...more] = await built(parts, sandbox.id)
  expect(more).toEqual([])
  expect(second).not.toBe(first)
  await services.remove(sandbox.id, signal)
  expect(await built(parts, sandbox.id)).toEqual([])
  await start(parts, services, sandbox)
  expect(await built(parts, sandbox.id)).toHaveLength(1)
  await parts.sandboxes.delete(sandbox.id)
  await expect.poll(() => built(parts, sandbox.id)).toEqual([])
})

it('where a sandbox has no network the steps of a build have none', async ({ parts, services }) => {
  const sandbox = await project(parts, { network: 'none' })
  await start(parts, services, sandbox)
  expect((await run(sandbox, ask('localhost', 2525))).trim()).toBe('welcome lo server.py 1')
  await parts.sandboxes.delete(sandbox.id)
})

it('sandboxes with the same services share what the steps of builds leave, and nothing else', async ({
  parts,
  services,
}) => {
  const step = 'head -c 16 /dev/urandom | od -An -tx1 >/srv/drawn'
  const drawn = async (sandbox: SandboxHandle) => {
    await start(parts, services, sandbox)
    const [image = ''] = await built(parts, sandbox.id)
    const words = await run(sandbox, ask('mail', 2525))
    return { image, words, layers: (await parts.outside.getImage(image).inspect()).RootFS.Layers }
  }
  const sandboxes = [await project(parts, { step }), await project(parts, { step })]
  const [one, other] = [await drawn(sandboxes[0] as SandboxHandle), await drawn(sandboxes[1] as SandboxHandle)]
  expect(other.layers).toEqual(one.layers)
  expect(other.image).not.toBe(one.image)
  await parts.sandboxes.delete(sandboxes[0]?.id ?? '')
  await expect.poll(() => built(parts, sandboxes[0]?.id ?? '')).toEqual([])
  expect(await run(sandboxes[1] as SandboxHandle, ask('mail', 2525))).toBe(other.words)
  await parts.sandboxes.delete(sandboxes[1]?.id ?? '')
  await expect.poll(() => built(parts, sandboxes[1]?.id ?? '')).toEqual([])
  // Nothing without a name is left either.
  const shared = { label: ['dev.atelier.spec-image=service', `dev.atelier.instance=${parts.instanceId}`] }
  await expect.poll(() => parts.outside.listImages({ filters: shared })).toEqual([])
})

it('the log of a build that fails stands before that of the container from before', async ({ parts, services }) => {
  const sandbox = await project(parts)
  await start(parts, services, sandbox)
  const failing = dockerfile(parts.images.reference ?? '', 'echo no license && exit 3')
  await sandbox.writeFiles(FOLDER, [{ path: 'docker/mail.Dockerfile', content: Buffer.from(failing) }])
  await services.restart(sandbox.id, null, signal)
  await settled(parts, services, sandbox.id)
  expect(await services.log(sandbox.id, 'mail', 100)).toContain('no license')
  const works = dockerfile(parts.images.reference ?? '')
  await sandbox.writeFiles(FOLDER, [{ path: 'docker/mail.Dockerfile', content: Buffer.from(works) }])
  await start(parts, services, sandbox)
  expect(await services.log(sandbox.id, 'mail', 100)).not.toContain('no license')
  await parts.sandboxes.delete(sandbox.id)
})

it('a build that fails says why and keeps its log, and one under way ends with a stop', async ({ parts, services }) => {
  const sandbox = await project(parts, { step: 'echo no license && exit 3' })
  const list = await start(parts, services, sandbox)
  expect(list.services).toMatchObject([{ name: 'mail', state: 'failed' }])
  expect(list.services[0]?.detail).toContain('no license')
  expect(await services.log(sandbox.id, 'mail', 100)).toMatch(/Step \d+\/\d+ : RUN echo no license[\s\S]*no license/)
  const image = parts.images.reference ?? ''
  const waits = Buffer.from(dockerfile(image, 'echo waiting && sleep 1000'))
  await sandbox.writeFiles(FOLDER, [{ path: 'docker/mail.Dockerfile', content: waits }])
  await services.begin(sandbox.id, null, signal)
  await until(parts.bus, async () => {
    const [mail] = (await services.list(sandbox.id, signal)).services
    return mail?.detail?.includes('sleep 1000') || undefined
  })
  const stopped = await services.stop(sandbox.id, null, signal)
  expect(stopped.services).toMatchObject([{ name: 'mail', state: 'not_started' }])
  expect(await built(parts, sandbox.id)).toEqual([])
  await parts.sandboxes.delete(sandbox.id)
})

it('what is the project itself, lies elsewhere or wants more than a build gets is left out', async ({
  parts,
  services,
}) => {
  const compose = `
services:
  whole: {build: .}
  container: {build: ./.devcontainer}
  outside: {build: ../other}
  fetched: {build: "https://example.com/repository.git"}
  missing: {build: ./docker}
  open: {build: {context: ./mail, network: host}}
`
  const sandbox = await project(parts, { compose })
  const { left_out } = await services.list(sandbox.id, signal)
  const itself = 'the project itself'
  const words = [itself, itself, 'outside of the repository', 'an address', 'is not there', '`build.network`']
  expect(left_out.map(({ reason }) => reason)).toEqual(words.map(each => expect.stringContaining(each)))
  await parts.sandboxes.delete(sandbox.id)
})
