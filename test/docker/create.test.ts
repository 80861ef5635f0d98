import { expect } from 'vitest'
import { createContainer } from '../../server/docker/container/create.ts'
import { containerRequest, specOf } from '../../server/sandbox/spec.ts'
import { it } from '../fixtures/sandbox.ts'

it('an engine whose disk takes no limits makes the container without one', async ({ parts }) => {
  const { outside, images, connection, instanceId } = parts
  const identity = { id: `atelier-${instanceId}-limited`, instanceId, createdAt: new Date().toISOString() }
  const spec = specOf(images.reference ?? '', 'Limited')
  const request = { ...containerRequest(spec, identity, connection.info(), null), diskBytes: 10e9 }
  const { id, isDiskLimited } = await createContainer(outside, request, connection.info())
  try {
    const { HostConfig: host, Name: name } = await outside.getContainer(id).inspect()
    expect(name).toBe(`/${identity.id}`)
    expect(isDiskLimited).toBe(Boolean(host.StorageOpt?.size))
  } finally {
    await outside.getContainer(id).remove({ force: true })
  }
})

it('what is wrong otherwise is refused as it is', async ({ parts }) => {
  const { outside, connection, instanceId } = parts
  const identity = { id: `atelier-${instanceId}-none`, instanceId, createdAt: new Date().toISOString() }
  const request = containerRequest(specOf('atelier/there-is-none:1', 'None'), identity, connection.info(), null)
  await expect(createContainer(outside, { ...request, diskBytes: 10e9 }, connection.info())).rejects.toMatchObject({
    statusCode: 404,
  })
})
