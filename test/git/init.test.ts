import { expect } from 'vitest'
import { initRepository } from '../../server/git/repository.ts'
import { it as base } from '../fixtures/sandbox.ts'

const test = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  .extend('gitIn', { scope: 'file' }, ({ sandbox }) => async (folder: string, ...args: string[]) => {
    return (await sandbox.exec({ argv: ['git', '-C', folder, ...args] })).stdout.trimEnd()
  })

const ADA = { name: 'Ada "the first" \\ Löve # ; ', email: 'ada@example.invalid' }
const signal = new AbortController().signal

test('a new folder gets a repository, and git the identity as it is written', async ({ sandbox, gitIn }) => {
  await initRepository(sandbox, '/workspace/new/one', ADA, signal)
  expect(await gitIn('/workspace/new/one', 'rev-parse', '--show-toplevel')).toBe('/workspace/new/one')
  expect((await sandbox.exec({ argv: ['git', 'config', 'user.name'] })).stdout).toBe(`${ADA.name}\n`)
  expect(await gitIn('/', 'config', 'user.email')).toBe(ADA.email)
  expect(await gitIn('/', 'config', '--get-all', 'safe.directory')).toBe('*')
})

test('a configuration that is there keeps what else is in it', async ({ gitIn, sandbox }) => {
  await gitIn('/', 'config', '--global', 'core.editor', 'vi')
  await initRepository(sandbox, '/workspace/new/one', { ...ADA, name: 'Ada' }, signal)
  expect(await gitIn('/', 'config', 'user.name')).toBe('Ada')
  expect(await gitIn('/', 'config', 'core.editor')).toBe('vi')
  expect(await gitIn('/', 'config', '--get-all', 'safe.directory')).toBe('*')
})

test('a folder in a repository stays a part of it, and one below what only looks like one gets its own', async ({
  sandbox,
  gitIn,
}) => {
  await initRepository(sandbox, '/workspace/new/one/below', ADA, signal)
  expect(await gitIn('/workspace/new/one/below', 'rev-parse', '--show-toplevel')).toBe('/workspace/new/one')
  await sandbox.exec({ argv: ['mkdir', '-p', '/workspace/other/.git'] })
  await initRepository(sandbox, '/workspace/other/below', ADA, signal)
  expect(await gitIn('/workspace/other/below', 'rev-parse', '--show-toplevel')).toBe('/workspace/other/below')
})
