import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KubeConfig } from '@kubernetes/client-node'
import { expect } from 'vitest'
import { ClusterClient } from '../../../server/kubernetes/client.ts'
import { it as base } from '../../fixtures/base.ts'

/** A kubeconfig whose user is a program that gives a token; `answer` ends it. */
class AskedConfig extends KubeConfig {
  asked = 0
  answer: () => Promise<string> = async () => 'good'

  override async applyToHTTPSOptions(options: { headers?: unknown }): Promise<void> {
    this.asked++
    options.headers = { authorization: `Bearer ${await this.answer()}` }
  }
}

const it = base
  .extend('server', async ({}, { onCleanup }) => {
    const server = createServer((request, response) => {
      const isGood = request.headers.authorization === 'Bearer good'
      response.writeHead(isGood ? 200 : 401).end('{}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onCleanup(() => void server.close())
    return server
  })
  .extend('config', async ({}) => {
    const config = new AskedConfig()
    config.loadFromOptions({ clusters: [], users: [], contexts: [], currentContext: '' })
    return config
  })
  .extend('client', async ({ server, config }, { onCleanup }) => {
    const { port } = server.address() as AddressInfo
    const client = new ClusterClient(config, { endpoint: `http://127.0.0.1:${port}`, namespace: 'default' })
    onCleanup(() => client.close())
    return client
  })

it('asks for credentials once for all who wait, and keeps them', async ({ client, config }) => {
  await Promise.all(Array.from({ length: 10 }, () => client.request('GET', '/version')))
  await client.request('GET', '/version')
  expect(config.asked).toBe(1)
})

it('asks anew when they are refused, once', async ({ client, config }) => {
  const answers = ['expired', 'good']
  config.answer = async () => answers.shift() ?? 'unknown'
  await client.request('GET', '/version')
  expect(config.asked).toBe(2)
})

it('gives up when new ones are refused too', async ({ client, config }) => {
  config.answer = async () => 'unknown'
  await expect(client.request('GET', '/version')).rejects.toMatchObject({ status: 401 })
  expect(config.asked).toBe(2)
})

it('waits for nobody who signs in once it is not wanted any more', async ({ client, config }) => {
  config.answer = () => new Promise(() => {})
  const giveUp = new AbortController()
  const given = client.request('GET', '/version', { signal: giveUp.signal })
  const other = client.request('GET', '/version')
  giveUp.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  client.close()
  await expect(other).rejects.toMatchObject({ code: 'engine_unavailable' })
})
