import { expect, it } from 'vitest'
import { withComposeService } from '../../server/dev-container/compose-service.ts'
import type { Configuration } from '../../server/dev-container/configuration.ts'
import { leftOutOf, originOf, portAttributesOf } from '../../server/dev-container/plan.ts'

const PATH = '.devcontainer/devcontainer.json'

function read(configuration: Configuration, files: Record<string, string>) {
  const tree = { text: async (path: string) => files[path] }
  return withComposeService(configuration, { path: PATH, tree, signal: new AbortController().signal })
}

it('a service is built as its compose files say, from where they lie, without what lifts the walls', async () => {
  const configuration = await read(
    {
      dockerComposeFile: ['../docker/compose.yml', 'compose.extend.yml'],
      service: 'app',
      containerEnv: { COLOUR: 'red' },
    },
    {
      'docker/compose.yml': `
services:
  app:
    build: {context: .., dockerfile: docker/Dockerfile, args: ["VARIANT=\${VARIANT:-3}"]}
    environment: {COLOUR: blue, SHOP: open}
    volumes: ["..:/workspace:cached", "/var/run/docker.sock:/var/run/docker.sock"]
  db: {image: postgres}`,
      'docker/.env': 'VARIANT=4',
      '.devcontainer/compose.extend.yml': 'services: {app: {user: dev, privileged: true}}',
    },
  )
  expect(originOf(configuration, PATH)).toEqual({
    kind: 'dockerfile',
    dockerfile: 'docker/Dockerfile',
    context: '',
    target: undefined,
    args: { VARIANT: '4' },
  })
  expect(configuration).toMatchObject({ containerUser: 'dev', containerEnv: { COLOUR: 'red', SHOP: 'open' } })
  expect(leftOutOf(configuration)).toEqual([
    { property: 'privileged', feature: null, reason: 'privileges' },
    { property: 'mounts', feature: null, reason: 'mounts' },
  ])
})

it('a service with an image is that image', async () => {
  const file = 'services: {app: {image: "debian:12", volumes: ["..:/work"]}}'
  const configuration = await read(
    { dockerComposeFile: 'compose.yml', service: 'app' },
    { '.devcontainer/compose.yml': file },
  )
  expect(originOf(configuration, PATH)).toEqual({ kind: 'image', image: 'debian:12' })
  expect(leftOutOf(configuration)).toEqual([])
})

it.each([
  ['a file that is not there', { dockerComposeFile: 'none.yml', service: 'app' }, 'none.yml is not there'],
  ['a file of this computer', { dockerComposeFile: '/etc/compose.yml', service: 'app' }, 'no file of the repository'],
  ['a file beside the repository', { dockerComposeFile: '../../x.yml', service: 'app' }, 'no file of the repository'],
  ['no service', { dockerComposeFile: 'compose.yml' }, 'names no service'],
  ['an unknown service', { dockerComposeFile: 'compose.yml', service: 'web' }, 'has no service web'],
  ['a service without an image', { dockerComposeFile: 'compose.yml', service: 'empty' }, 'neither a usable image'],
])('with %s it is refused in words', async (_what, configuration, words) => {
  const files = { '.devcontainer/compose.yml': 'services: {app: {image: redis}, empty: {command: x}}' }
  await expect(read(configuration, files)).rejects.toThrow(words)
})

it('does not build from outside of the repository', async () => {
  const files = { '.devcontainer/compose.yml': 'services: {app: {build: ../..}}' }
  const configuration = await read({ dockerComposeFile: 'compose.yml', service: 'app' }, files)
  expect(() => originOf(configuration, PATH)).toThrow('outside of the repository')
})

it('says of single ports what the configuration does', () => {
  const portsAttributes = {
    '3000': { label: 'Shop', onAutoForward: 'openPreview' },
    '9000-9010': { label: 'Range' },
    '.+/server.js': { label: 'Expression' },
  }
  expect(portAttributesOf({ portsAttributes })).toEqual([{ port: 3000, label: 'Shop', on_auto_forward: 'openPreview' }])
})
