import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { readConfiguration } from '../../server/dev-container/cli/run.ts'
import { parseConfiguration } from '../../server/dev-container/configuration.ts'
import { environmentOf, leftOutOf, merge, originOf } from '../../server/dev-container/plan.ts'
import { TestFolder } from '../parts/test-folder.ts'

const it = base
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = new TestFolder()
    onCleanup(() => folder.remove())
    return folder
  })
  .extend('read', ({ folder }) => async (files: Record<string, string>, { withFeatures = true } = {}) => {
    const workspace = join(folder.path, 'tool')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(workspace, dirname(name)), { recursive: true })
      writeFileSync(join(workspace, name), text)
    }
    const path = Object.keys(files)[0] ?? ''
    const { signal } = new AbortController()
    const own = { home: folder.path, allowedHosts: [], signal }
    return parseConfiguration(await readConfiguration({ ...own, workspace, path, withFeatures }))
  })

const PATH = '.devcontainer/devcontainer.json'

const FEATURE = {
  '.devcontainer/greeter/devcontainer-feature.json': JSON.stringify({
    id: 'greeter',
    version: '1.0.0',
    name: 'Greeter',
    options: { greeting: { type: 'string', default: 'hello' } },
    containerEnv: { GREETER: 'yes' },
    privileged: true,
  }),
  '.devcontainer/greeter/install.sh': 'true',
}

describe('a configuration', () => {
  it('may have comments and trailing commas, and variables of its own', async ({ read }) => {
    const text = `// A comment
      { "name": "Tool", /* another */ "image": "debian:12",
        "remoteEnv": { "AT": "\${containerWorkspaceFolder}/bin", "NAME": "\${localWorkspaceFolderBasename}" }, }`
    const { configuration, workspaceFolder } = await read({ [PATH]: text })
    expect(configuration).toMatchObject({
      name: 'Tool',
      remoteEnv: { AT: '/workspaces/tool/bin', NAME: 'tool' },
    })
    expect(workspaceFolder).toBe('/workspaces/tool')
  })

  it('learns nothing of the environment and the home of this machine', async ({ read }) => {
    process.env.ATELIER_TEST_OF_HOST = 'a-secret'
    const text = JSON.stringify({
      image: 'debian:12',
      remoteEnv: { A: `\${localEnv:ATELIER_TEST_OF_HOST}`, B: `\${env:HOME}`, C: `\${localEnv:PATH:none}` },
    })
    const { configuration } = await read({ [PATH]: text }).finally(() => {
      delete process.env.ATELIER_TEST_OF_HOST
    })
    expect(configuration.remoteEnv).toEqual({ A: '', B: '', C: 'none' })
  })

  it('has its local features read, which lose what would lift the walls', async ({ read }) => {
    const text = JSON.stringify({ image: 'debian:12', features: { './greeter': { greeting: 'hi' } } })
    const { configuration, features } = await read({ [PATH]: text, ...FEATURE })
    expect(features).toMatchObject([{ id: 'greeter', value: { greeting: 'hi' }, containerEnv: { GREETER: 'yes' } }])
    expect(leftOutOf(configuration, features)).toEqual([
      { property: 'privileged', feature: 'greeter', reason: 'privileges' },
    ])
  })

  it('that is none says so', async ({ read }) => {
    await expect(read({ [PATH]: '{ "image": "-v /:/x" }' })).rejects.toThrow('"image" of devcontainer.json')
  })
})

describe('a hostile configuration', () => {
  it('runs nothing on this machine', async ({ read, folder }) => {
    const made = folder.beside('made')
    const text = JSON.stringify({ image: 'debian:12', initializeCommand: `touch ${made}`, runArgs: ['--privileged'] })
    const { configuration } = await read({ [PATH]: text })
    expect(leftOutOf(configuration).map(({ property }) => property)).toEqual(['initializeCommand', 'runArgs'])
    const { existsSync } = await import('node:fs')
    expect(existsSync(made)).toBe(false)
  })

  it.for(['localhost', '127.0.0.1', '[::1]'])('does not make this machine call %s', async (host, { read }) => {
    let calls = 0
    const server = createServer((_request, reply) => {
      calls++
      reply.end('{}')
    })
    await new Promise<void>(resolve => server.listen(0, resolve))
    server.on('connection', () => calls++)
    const { port } = server.address() as AddressInfo
    const features = { [`${host}:${port}/team/features/evil:1`]: {}, [`https://${host}:${port}/evil.tgz`]: {} }
    for (const feature of Object.keys(features)) {
      const text = JSON.stringify({ image: 'debian:12', features: { [feature]: {} } })
      await expect(read({ [PATH]: text })).rejects.toMatchObject({ code: 'bad_request' })
    }
    server.closeAllConnections()
    server.close()
    expect(calls).toBe(0)
  })

  it('does not take files of this machine as features', async ({ read }) => {
    const text = JSON.stringify({ image: 'debian:12', features: { '../../../../../../etc': {} } })
    await expect(read({ [PATH]: text })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.for([
    { build: { dockerfile: '../../Dockerfile' } },
    { build: { dockerfile: '/etc/passwd' } },
    { build: { dockerfile: 'Dockerfile', context: '../..' } },
    { dockerFile: '../../../x' },
  ])('does not build from outside of the repository: %j', async (said, { read }) => {
    const { configuration } = await read({ [PATH]: JSON.stringify(said) }, { withFeatures: false })
    expect(() => originOf(configuration, PATH)).toThrow('outside of the repository')
  })
})

it('an image of a sandbox of the person is not what a repository begins with', async ({ read }) => {
  for (const image of ['atelier-saved:spec-1', 'localhost/atelier-copy:x', 'docker.io/library/atelier-build:x-1']) {
    const { configuration } = await read({ [PATH]: JSON.stringify({ image }) }, { withFeatures: false })
    expect(() => originOf(configuration, PATH)).toThrow('a sandbox of yours')
  }
})

describe('what a container is in the end', () => {
  const parts = [
    { remoteUser: 'vscode', containerEnv: { A: '1' }, postCreateCommand: 'image' },
    { containerEnv: { B: '2' }, postCreateCommand: 'feature' },
    { remoteEnv: { PATH: `/own:\${containerEnv:PATH}`, C: `\${containerEnv:B}`, D: null }, onCreateCommand: ['first'] },
  ] as Parameters<typeof merge>[0]

  it('has the last word of its parts, and the commands of all of them in order', () => {
    const merged = merge(parts)
    expect(merged.user).toBe('vscode')
    expect(merged.commands).toEqual([
      { name: 'onCreateCommand', command: ['first'] },
      { name: 'postCreateCommand', command: 'image' },
      { name: 'postCreateCommand', command: 'feature' },
    ])
    expect(environmentOf(merged, { PATH: '/bin' })).toEqual({ A: '1', B: '2', PATH: '/own:/bin', C: '2' })
  })
})
