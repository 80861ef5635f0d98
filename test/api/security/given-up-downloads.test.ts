import { get } from 'node:http'
import { expect } from 'vitest'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('id', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('headers', { scope: 'file' }, ({ service }) => ({ 'X-Session-API-Key': service.key }))
  /** Reads the beginning of a reply and goes away. */
  .extend('giveUp', { scope: 'file' }, ({ headers }) => (url: string): Promise<void> => {
    return new Promise((resolve, reject) => {
      const request = get(url, { headers }, reply => {
        if (reply.statusCode !== 200) return reject(new Error(`${url} answered ${reply.statusCode}.`))
        reply.once('data', () => {
          request.destroy()
          resolve()
        })
      })
      request.on('error', reject)
    })
  })

it.beforeAll(async ({ sandbox }) => {
  const engine = testEngine()
  const argv = ['/bin/sh', '-ec', 'printf hello >small.txt; truncate -s 30G sparse.bin']
  const stream = await engine.exec(sandbox, { argv, cwd: '/workspace/project' })
  stream.stdout.resume()
  expect(await stream.exitCode).toBe(0)
  stream.close()
  await engine.close()
})

// The engine locks a container while it makes an archive of it.
it.for(['first', 'second', 'third'])(
  'a download of a 30 GB sparse file that is given up leaves the sandbox free, the %s time',
  async (_time, { service, id, headers, giveUp }) => {
    await giveUp(`${service.url}/api/conversations/${id}/zip-directory`)
    const list = await fetch(`${service.url}/api/conversations/${id}/list-files`, { headers })
    expect(await list.json()).toEqual(expect.arrayContaining(['small.txt']))
    const file = await fetch(`${service.url}/api/conversations/${id}/select-file?file=small.txt`, { headers })
    expect(await file.json()).toEqual({ code: 'hello' })
  },
)

it('and can be paused', async ({ giveUp, service, id, sandbox }) => {
  await giveUp(`${service.url}/api/conversations/${id}/zip-directory`)
  await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
})
