import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { initRepository } from '../../server/git/repository.ts'
import { type Parts, startParts } from '../sandbox/parts.ts'

const ADA = { name: 'Ada "the first" \\ Löve # ; ', email: 'ada@example.invalid' }
const signal = new AbortController().signal

let parts: Parts
let sandbox: SandboxHandle
beforeAll(async () => {
  parts = await startParts()
  sandbox = await parts.sandboxes.open((await parts.sandboxes.start()).id)
})
afterAll(() => parts.close())

const git = async (folder: string, ...args: string[]) =>
  (await sandbox.exec({ argv: ['git', '-C', folder, ...args] })).stdout.trimEnd()

test('a new folder gets a repository, and git the identity as it is written', async () => {
  await initRepository(sandbox, '/workspace/new/one', ADA, signal)
  expect(await git('/workspace/new/one', 'rev-parse', '--show-toplevel')).toBe('/workspace/new/one')
  expect((await sandbox.exec({ argv: ['git', 'config', 'user.name'] })).stdout).toBe(`${ADA.name}\n`)
  expect(await git('/', 'config', 'user.email')).toBe(ADA.email)
  expect(await git('/', 'config', '--get-all', 'safe.directory')).toBe('*')
})

test('a configuration that is there keeps what else is in it', async () => {
  await git('/', 'config', '--global', 'core.editor', 'vi')
  await initRepository(sandbox, '/workspace/new/one', { ...ADA, name: 'Ada' }, signal)
  expect(await git('/', 'config', 'user.name')).toBe('Ada')
  expect(await git('/', 'config', 'core.editor')).toBe('vi')
  expect(await git('/', 'config', '--get-all', 'safe.directory')).toBe('*')
})

test('a folder in a repository stays a part of it, and one below what only looks like one gets its own', async () => {
  await initRepository(sandbox, '/workspace/new/one/below', ADA, signal)
  expect(await git('/workspace/new/one/below', 'rev-parse', '--show-toplevel')).toBe('/workspace/new/one')
  await sandbox.exec({ argv: ['mkdir', '-p', '/workspace/other/.git'] })
  await initRepository(sandbox, '/workspace/other/below', ADA, signal)
  expect(await git('/workspace/other/below', 'rev-parse', '--show-toplevel')).toBe('/workspace/other/below')
})
