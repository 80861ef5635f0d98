import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { it as base } from '../fixtures/sandbox.ts'
import { importBareImage, until } from './parts.ts'

const test = base.extend('sandbox', { scope: 'file' }, async ({ parts }) => {
  await importBareImage(parts, reference)
  parts.settings.base = reference
  return parts.sandboxes.open((await parts.sandboxes.start()).id)
})

const reference = `atelier-test/bare:${randomBytes(4).toString('hex')}`
test.afterAll(async ({ parts }) => {
  await parts.outside.getImage(reference).remove({ force: true })
})

describe('an image with nothing but /bin/sh', () => {
  test('is the default once it is set, and runs idle', async ({ parts, sandbox }) => {
    expect((await parts.sandboxes.get(sandbox.id)).sandbox_spec_id).toBe(reference)
    const { State: state } = await parts.outside.getContainer(sandbox.id).inspect()
    expect(state.Running).toBe(true)
  })

  test('runs commands, and kills them', async ({ sandbox }) => {
    const result = await sandbox.exec({ argv: ['/bin/sh', '-c', 'echo out; exit 4'] })
    expect(result).toMatchObject({ exitCode: 4, stdout: 'out\n' })
    const endless = await sandbox.exec({ argv: ['/bin/sh', '-c', 'while :; do :; done'], timeoutMs: 200 })
    expect(endless.timedOut).toBe(true)
  })

  test('takes and gives files', async ({ sandbox }) => {
    await sandbox.writeFile('/workspace/project/a/file', Buffer.from([0, 1, 2, 255]))
    expect((await sandbox.readFile('/workspace/project/a/file')).equals(Buffer.from([0, 1, 2, 255]))).toBe(true)
    await sandbox.writeFile('/workspace/project/a/file', Buffer.from('again'))
    expect((await sandbox.readFile('/workspace/project/a/file')).toString()).toBe('again')
  })

  test('has a terminal', async ({ sandbox }) => {
    const terminal = await sandbox.openTerminal({ argv: ['/bin/sh'], cols: 80, rows: 24 })
    terminal.onData(() => {})
    await terminal.write('exit 6\n')
    expect(await terminal.ended).toBe(6)
  })

  test('stops at once and starts again', async ({ parts, sandbox }) => {
    const began = Date.now()
    await parts.outside.getContainer(sandbox.id).stop({ t: 60 })
    expect(Date.now() - began).toBeLessThan(30_000)
    await until(parts.bus, async () => ((await parts.sandboxes.get(sandbox.id)).status === 'PAUSED' ? true : undefined))
    await parts.sandboxes.resume(sandbox.id)
    expect((await sandbox.exec({ argv: ['/bin/sh', '-c', 'echo back'] })).stdout).toBe('back\n')
  })
})

test('an image’s own entrypoint, user and health check do not matter', async ({ parts }) => {
  const hostile = `${reference}-hostile`
  const container = await parts.outside.createContainer({ Image: reference, Cmd: ['x'] })
  const [repo, tag] = hostile.split(':')
  await container.commit({
    repo,
    tag,
    changes: 'ENTRYPOINT ["/no/such"]\nUSER 1234:1234\nHEALTHCHECK CMD false\nWORKDIR /elsewhere',
  })
  await container.remove()
  parts.settings.runtime = hostile
  const { id } = await parts.sandboxes.start()
  const opened = await parts.sandboxes.open(id)
  const result = await opened.exec({ argv: ['/bin/sh', '-c', 'echo ok >file; pwd; read -r line <file; echo $line'] })
  expect(result).toMatchObject({ exitCode: 0, stdout: '/workspace/project\nok\n' })
  await parts.sandboxes.delete(id)
  await parts.outside.getImage(hostile).remove({ force: true })
  parts.settings.runtime = null
})

test('an image without a shell fails in words', async ({ parts }) => {
  const shellless = `${reference}-shellless`
  const container = await parts.outside.createContainer({ Image: reference, Cmd: ['x'] })
  const [repo, tag] = shellless.split(':')
  const { pack } = await import('tar-stream')
  const { buffer } = await import('node:stream/consumers')
  const archive = pack()
  archive.entry({ name: 'bin/sh', mode: 0o644 }, 'not a program')
  archive.finalize()
  await container.putArchive(await buffer(archive), { path: '/' })
  await container.commit({ repo, tag })
  await container.remove()
  parts.settings.runtime = shellless
  await expect(parts.sandboxes.start()).rejects.toMatchObject({
    code: 'sandbox_start_failed',
    message: expect.stringContaining('/bin/sh'),
  })
  parts.settings.runtime = null
  await parts.outside.getImage(shellless).remove({ force: true })
})
