import Docker from 'dockerode'
import { expect, test } from 'vitest'
import { removeObject } from '../../server/docker/objects.ts'
import { busyboxImage } from '../parts/engine/sandbox.ts'

const docker = new Docker()

test('whoever removes a container hears of it when it is gone, also where several do at once', async () => {
  const Image = await busyboxImage(docker)
  const { id } = await docker.createContainer({ Image, Cmd: ['busybox', 'sleep', '600'] })
  await docker.getContainer(id).start()
  const exists = async () => (await docker.listContainers({ all: true, filters: { id: [id] } })).length > 0
  const removals = Array.from({ length: 4 }, () => removeObject(docker, { kind: 'container', id }).then(exists))
  expect(await Promise.all(removals)).toEqual([false, false, false, false])
})
