import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Docker from 'dockerode'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startExec } from '../../../server/docker/command/exec.ts'
import { getArchive, putArchive, type Start } from '../../../server/docker/command/files.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { busyboxImage } from '../../parts/engine/sandbox.ts'

const docker = new Docker()

/** Starts commands in a container whose `tar` does nothing, for ever. */
async function stuck(): Promise<Start> {
  const Image = await busyboxImage(docker)
  const script =
    'rm -f /bin/tar; printf "#!/bin/sh\\nexec sleep 600\\n" >/bin/tar; chmod +x /bin/tar; : >/tmp/ready; exec sleep 600'
  const container = await docker.createContainer({ Image, Cmd: ['sh', '-c', script], HostConfig: { AutoRemove: true } })
  onTestFinished(() => container.remove({ force: true }))
  await container.start()
  const start: Start = request => startExec({ docker, breaks: () => 0 }, container.id, request)
  const isReady = { argv: ['/bin/sh', '-c', '[ -e /tmp/ready ]'], cwd: '/' }
  await expect.poll(async () => (await start(isReady)).exitCode).toBe(0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return start
}

/** What waits for so long has waited. */
async function afterWaiting(milliseconds: number): Promise<void> {
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
  vi.advanceTimersByTime(milliseconds)
}

test('files that a program does not take are given up', async () => {
  const written = putArchive(await stuck(), '/tmp', Buffer.alloc(64 * 1024 * 1024))
  const refused = expect(written).rejects.toMatchObject({
    code: 'engine_failed',
    message: 'Writing files failed. Nothing was taken for 30 s. Try again, or restart the sandbox.',
  })
  await afterWaiting(BOUNDS.sandboxCommand.limit)
  await refused
})

test('files that never come are not waited for', async () => {
  const silent = new Readable({ read() {} })
  const refused = expect(putArchive(await stuck(), '/tmp', silent)).rejects.toMatchObject({ code: 'engine_failed' })
  await afterWaiting(BOUNDS.sandboxCommand.limit)
  await refused
  expect(silent.destroyed).toBe(true)
})

test('files that a program begins to send and does not go on with are given up', async () => {
  const start = await stuck()
  const beginning: Start = request => start({ ...request, argv: ['sh', '-c', 'echo beginning; exec sleep 600'] })
  const refused = expect(getArchive(beginning, '/tmp').then(buffer)).rejects.toMatchObject({ code: 'engine_failed' })
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
  await afterWaiting(BOUNDS.stalledDownload.limit)
  await refused
})
