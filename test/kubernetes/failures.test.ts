import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { EVERYWHERE } from '../../server/api/v1/sandbox/cluster.ts'
import type { ContainerRequest } from '../../server/docker/engine.ts'
import { openClusterEngine } from '../../server/kubernetes/cluster-engine.ts'
import { it as base } from '../fixtures/base.ts'
import { IMAGE, kubeconfigPath, openClient, openEngine, ownCluster } from '../parts/kubernetes/cluster.ts'

const LABELS = { 'dev.atelier.instance': `test-${randomBytes(6).toString('hex')}` }

const it = base.extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
  const engine = await openEngine()
  onCleanup(async () => {
    for (const object of await engine.listObjects(LABELS)) await engine.removeObject(object)
    await engine.close()
  })
  return engine
})

function request(more: Partial<ContainerRequest> = {}): ContainerRequest {
  return {
    name: `atelier-${randomBytes(6).toString('base64url')}`,
    image: IMAGE,
    entrypoint: ['/bin/sh', '-c', 'exec sleep 2147483647'],
    command: [],
    workingDir: '/workspace',
    env: {},
    labels: LABELS,
    ports: [],
    user: '0:0',
    memoryBytes: 256 * 2 ** 20,
    cpus: 1,
    pids: 1000,
    capabilities: { drop: ['ALL'], add: [] },
    network: 'bridge',
    extraHosts: [],
    mounts: [],
    ...more,
  }
}

const NOWHERE = { ...EVERYWHERE, node_selector: { 'example.com/none': 'here' } }

it('names the contexts that there are instead of one that is not', async () => {
  const asked = {
    namespace: null,
    closing: [],
    ownImage: null,
    capabilities: { drop: [], add: [] },
    isMade: () => false,
    owner: 'ada@laptop',
  }
  const unknown = openClusterEngine({ ...asked, kubeconfigPaths: [kubeconfigPath()], context: 'no such' })
  await expect(unknown).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('no context “no such”'),
  })
  const missing = openClusterEngine({ ...asked, kubeconfigPaths: ['/no/such/file'], context: 'x' })
  await expect(missing).rejects.toMatchObject({ code: 'bad_request' })
})

it('says that an image cannot be had, and leaves no pod of it', async ({ engine }) => {
  const id = await engine.createContainer(request({ image: 'localhost:9/no/such:image' }))
  const refused = engine.startContainer(id)
  await expect(refused).rejects.toMatchObject({
    code: 'image_pull_failed',
    message: expect.stringContaining('localhost:9/no/such:image'),
  })
  await expect(refused).rejects.toThrow('Push it to a registry that the cluster reaches')
  expect((await engine.inspectContainer(id))?.status).toBe('created')
  const invalid = await engine.createContainer(request({ image: 'Not An Image' }))
  await expect(engine.startContainer(invalid)).rejects.toMatchObject({
    code: expect.stringMatching(/image_pull_failed|engine_failed/),
  })
})

it('says that no node takes a pod', async ({ engine }) => {
  const id = await engine.createContainer(request({ cluster: NOWHERE }))
  const refused = engine.startContainer(id)
  await expect(refused).rejects.toMatchObject({
    code: 'sandbox_start_failed',
    message: expect.stringContaining('No node of the cluster takes the sandbox'),
  })
})

it('says that the quota of its namespace is used up', async () => {
  const namespace = `atelier-${randomBytes(4).toString('hex')}`
  const client = await openClient()
  await client.request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
  try {
    const quota = { metadata: { name: 'none' }, spec: { hard: { persistentvolumeclaims: '0' } } }
    await client.request('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, { body: quota })
    const engine = await openEngine({ namespace })
    const refused = () =>
      engine.createContainer(request()).then(
        () => '',
        error => error.message,
      )
    await expect.poll(refused).toContain('the quota of the namespace is used up')
    await engine.close()
  } finally {
    await client.request('DELETE', `/api/v1/namespaces/${namespace}`)
    client.close()
  }
})

it('says which right is missing', async () => {
  const client = await openClient()
  const account = `atelier-${randomBytes(4).toString('hex')}`
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await client.request('POST', accounts, { body: { metadata: { name: account } } })
  try {
    const made = await client.request<{ status: { token: string } }>('POST', `${accounts}/${account}/token`, {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    })
    const engine = await openEngine({ token: made.status.token })
    await expect(engine.info()).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('lacks the right to get the namespace default'),
    })
    await expect(engine.createContainer(request())).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(/may not do that.*cannot create resource "persistentvolumeclaims"/),
    })
    await engine.close()
  } finally {
    await client.request('DELETE', `${accounts}/${account}`)
    client.close()
  }
})

it('ends a start whose container is removed', async ({ engine }) => {
  const id = await engine.createContainer(request({ cluster: NOWHERE }))
  const starting = engine.startContainer(id)
  const outcome = expect(starting).rejects.toMatchObject({ code: 'sandbox_not_found' })
  await expect.poll(async () => (await engine.listContainers(LABELS)).length).toBeGreaterThan(0)
  await engine.removeContainer(id)
  await outcome
})

it('says how the nodes get the image of Atelier itself', async () => {
  const missing = `atelier/sandbox:${randomBytes(6).toString('hex')}`
  const engine = await openEngine({ ownImage: { name: missing, reference: null, pullSecrets: [] } })
  try {
    const id = await engine.createContainer(request({ image: missing }))
    await expect(engine.startContainer(id)).rejects.toMatchObject({
      code: 'image_pull_failed',
      message: expect.stringContaining('does not have Atelier'),
    })
    await engine.removeContainer(id)
  } finally {
    await engine.close()
  }
})

it('hides nothing for a claim that somebody has changed', async ({ engine }) => {
  const id = await engine.createContainer(request())
  const changed = await engine.createContainer(request())
  const client = await openClient()
  const path = client.path('persistentvolumeclaims')
  try {
    const { items } = await client.request<{
      items: { metadata: { name: string; annotations: Record<string, string> } }[]
    }>('GET', path)
    const claim = items.find(({ metadata }) => metadata.annotations['atelier.dev/name'] === changed)
    const body = { metadata: { annotations: { 'atelier.dev/request': '{}' } } }
    const contentType = 'application/merge-patch+json'
    await client.request('PATCH', `${path}/${claim?.metadata.name}`, { body, contentType })
    const listed = await engine.listContainers(LABELS)
    expect(listed.find(each => each.id === id)).toMatchObject({ status: 'created' })
    expect(listed.find(each => each.id === changed)).toMatchObject({
      status: 'dead',
      error: expect.stringContaining('changed by somebody else'),
    })
    await expect(engine.startContainer(changed)).rejects.toMatchObject({ code: 'conflict' })
    await engine.removeContainer(changed)
  } finally {
    client.close()
  }
})

it('tells what a cluster cannot do', async ({ engine }) => {
  const mounts = [{ hostPath: '/etc', containerPath: '/host', readOnly: true }]
  await expect(engine.createContainer(request({ mounts }))).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('Choose a Docker engine'),
  })
  await expect(engine.buildImage()).rejects.toMatchObject({ code: 'bad_request' })
})

it('tells when a container ends by itself, with its exit code', async ({ engine }) => {
  const id = await engine.createContainer(request({ entrypoint: ['/bin/sh', '-c', 'sleep 3; exit 5'] }))
  const actions: string[] = []
  const watch = engine.watch(LABELS, {
    onContainer: ({ name, action }) => name === id && actions.push(action),
    onReconnect: () => {},
    onDisconnect: () => {},
  })
  await engine.startContainer(id)
  await expect.poll(() => actions).toContain('die')
  expect(await engine.inspectContainer(id)).toMatchObject({ status: 'exited', exitCode: 5 })
  await engine.startContainer(id)
  expect((await engine.inspectContainer(id))?.status).toBe('running')
  await engine.removeContainer(id)
  await expect.poll(() => actions.at(-1)).toBe('destroy')
  watch.close()
})

// Only in a cluster of our own may its server be stopped.
it.runIf(ownCluster)('hears again what happens when the API server was away', async ({ engine }) => {
  const id = await engine.createContainer(request())
  await engine.startContainer(id)
  const heard: string[] = []
  const watch = engine.watch(LABELS, {
    onContainer: ({ name, action }) => name === id && heard.push(action),
    onReconnect: () => heard.push('reconnect'),
    onDisconnect: () => heard.push('disconnect'),
  })
  await expect.poll(() => heard).toEqual(['reconnect'])
  ownCluster?.('stop-apiserver')
  await expect.poll(() => heard).toEqual(['reconnect', 'disconnect'])
  await expect(engine.info()).rejects.toMatchObject({ code: 'engine_unavailable' })
  ownCluster?.('start-apiserver')
  await expect.poll(() => heard.at(-1)).toBe('reconnect')
  expect((await engine.inspectContainer(id))?.status).toBe('running')
  await engine.pauseContainer(id)
  await expect.poll(() => heard.at(-1)).toBe('pause')
  watch.close()
})
