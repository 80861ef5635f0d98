import Docker from 'dockerode'
import { expect, test } from 'vitest'
import { runToEnd } from '../../../server/docker/command/run-to-end.ts'
import { busyboxImage } from '../../parts/engine/sandbox.ts'

const docker = new Docker()

/** A container that the engine removes when it has ended, as long as it has begun. */
async function container(...command: string[]): Promise<string> {
  const Image = await busyboxImage(docker)
  return (await docker.createContainer({ Image, Cmd: command, HostConfig: { AutoRemove: true } })).id
}

async function exists(id: string): Promise<boolean> {
  return (await docker.listContainers({ all: true, filters: { id: [id] } })).length > 0
}

test('a container whose program is not there leaves nothing behind', async () => {
  const id = await container('no-such-program')
  await expect(runToEnd(docker, id, new AbortController().signal)).rejects.toThrow('no-such-program')
  expect(await exists(id)).toBe(false)
})

test('one that is given up before it has begun leaves nothing behind', async () => {
  const id = await container('busybox', 'true')
  await expect(runToEnd(docker, id, AbortSignal.abort(new Error('closing')))).rejects.toThrow('closing')
  expect(await exists(id)).toBe(false)
})

test('one that is given up while it runs leaves nothing behind', async () => {
  const id = await container('busybox', 'sleep', '600')
  const closing = new AbortController()
  const running = runToEnd(docker, id, closing.signal)
  await expect.poll(async () => (await docker.getContainer(id).inspect()).State.Running).toBe(true)
  closing.abort(new Error('closing'))
  await expect(running).rejects.toThrow('closing')
  expect(await exists(id)).toBe(false)
})
