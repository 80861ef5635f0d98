import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readProject } from '../../server/compose/read.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { AppError } from '../../server/domain/errors.ts'
import { newFolder } from '../parts/test-folder.ts'

async function project(files: Record<string, string>, link?: [target: string, name: string]) {
  const { path: root } = newFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  if (link) await symlink(link[0], join(root, link[1]))
  const found = await readProject(onDisk, root, new AbortController().signal)
  if (!found) throw new Error('there is no compose file')
  return found
}

/** Files of this machine in place of those of a sandbox. */
const onDisk: Parameters<typeof readProject>[0] = {
  async readFile(path, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
    const content = await readFile(path).catch(() => undefined)
    if (!content) throw new AppError('file_not_found', 'It is not there.')
    if (content.length > maxBytes) throw new AppError('file_too_large', 'It is too large.')
    return content
  },
  async stat(path) {
    const found = await stat(path).catch(() => undefined)
    if (!found) return undefined
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'
    return { path: await realpath(path), kind, sizeBytes: found.size, mode: 0o644, modifiedAt: '' }
  },
}

it('what a compose file includes is read where it lies, with its own variables, and the including file has the last word', async () => {
  const { plan, files, problem } = await project({
    'compose.yaml': `
include:
  - infra/db.yaml
  - {path: [infra/queue/compose.yaml, infra/queue/more.yaml], env_file: shared.env}
services:
  db: {mem_limit: 256m}
  cache: {image: redis, depends_on: [db]}`,
    '.env': 'SHOP=of the project',
    'infra/db.yaml': `
services:
  db:
    image: postgres:\${VERSION}
    env_file: db.env
    environment: ["SHOP=\${SHOP}"]
    volumes: ["./init.sql:/init.sql:ro", "../seed:/seed", "data:/data"]`,
    'infra/.env': 'VERSION=16\nSHOP=of the part',
    'infra/db.env': 'A=1',
    'infra/queue/compose.yaml': 'include: ../../more/deep.yaml\nservices: {queue: {image: "rabbit:${TAG}"}}',
    'infra/queue/more.yaml': 'services: {queue: {expose: [5672]}}',
    'shared.env': 'TAG=4',
    'more/deep.yaml': 'include: [../compose.yaml]\nservices: {deep: {image: redis}}',
  })
  expect({ problem, leftOut: plan.leftOut }).toEqual({ problem: null, leftOut: [] })
  expect(plan.services.map(({ name }) => name).sort()).toEqual(['cache', 'db', 'deep', 'queue'])
  expect(plan.services.find(({ name }) => name === 'db')).toMatchObject({
    image: 'postgres:16',
    env: { A: '1', SHOP: 'of the project' },
    binds: [
      { path: 'infra/init.sql', containerPath: '/init.sql' },
      { path: 'seed', containerPath: '/seed' },
    ],
    volumes: [{ name: 'data' }],
    memoryBytes: 256 * 2 ** 20,
  })
  expect(plan.services.find(({ name }) => name === 'queue')).toMatchObject({ image: 'rabbit:4', ports: [5672] })
  // What a person trusts are all of them.
  expect(files.map(({ path }) => path).sort()).toEqual(
    ['.env', 'compose.yaml', 'infra/.env', 'infra/db.env', 'infra/db.yaml', 'infra/queue/compose.yaml'].concat([
      'infra/queue/more.yaml',
      'more/deep.yaml',
      'shared.env',
    ]),
  )
  expect(files[0]?.path).toBe('compose.yaml')
})

it('what is not a file of the repository is not included, and that is said', async () => {
  const { plan, problem } = await project(
    {
      'compose.yaml': `
include:
  - ../beside.yaml
  - /etc/compose.yaml
  - oci://registry.example/shop
  - https://example.com/shop.git
  - missing.yaml
  - parts/db.yaml
  - {path: [], env_file: 7}
  - broken.yaml
services: {cache: {image: redis}}`,
      'real/db.yaml': 'services: {db: {image: postgres}}',
      'broken.yaml': 'services: [',
    },
    ['real', 'parts'],
  )
  expect(problem).toBe(null)
  expect(plan.services.map(({ name }) => name)).toEqual(['cache'])
  expect(plan.leftOut.map(({ name, reason }) => [name, reason])).toEqual([
    ['../beside.yaml', expect.stringContaining('outside of the repository')],
    ['/etc/compose.yaml', expect.stringContaining('outside of the repository')],
    ['oci://registry.example/shop', expect.stringContaining('somewhere else')],
    ['https://example.com/shop.git', expect.stringContaining('somewhere else')],
    ['missing.yaml', expect.stringContaining('is not there')],
    ['parts/db.yaml', expect.stringContaining('parts is a link')],
    ['include', expect.stringContaining('cannot be read')],
    ['broken.yaml', expect.stringContaining('cannot be read')],
  ])
})

it('files that include many others end at the bound', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `part-${index}.yaml`)
  const parts = names.map((name, index) => [
    name,
    `include: [part-${index + 1}.yaml]\nservices: {s${index}: {image: a}}`,
  ])
  const { plan, files } = await project({
    'compose.yaml': `include: ["part-0.yaml"]\nservices: {cache: {image: redis}}`,
    ...Object.fromEntries(parts),
  })
  expect(files.length).toBeLessThanOrEqual(BOUNDS.composeFiles.limit)
  expect(plan.leftOut.at(0)?.reason).toContain(`Only ${BOUNDS.composeFiles.limit} files`)
  expect(plan.services).toHaveLength(BOUNDS.services.limit)
})
