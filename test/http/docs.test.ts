import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { createAsyncApi } from '../../server/api/contract/asyncapi.ts'
import { createOpenApi } from '../../server/api/contract/openapi.ts'
import { APP_CONTRACT, APP_SOCKETS } from '../../server/api/contract/routes.ts'
import { serveDocs } from '../../server/http/core/docs.ts'

it('a flood of questions for the contract makes its documents once', async () => {
  let made = 0
  const app = express()
  const options = { url: 'http://127.0.0.1:3737', version: '1.0.0' }
  serveDocs(app, {
    createOpenApi: examples => {
      made++
      return createOpenApi(APP_CONTRACT, { ...options, examples })
    },
    createAsyncApi: () => {
      made++
      return createAsyncApi(APP_SOCKETS, options)
    },
    resourcesDir: join(import.meta.dirname, '..', '..', 'build', 'resources'),
    port: 'app',
  })
  const server = createServer(app)
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(made).toBe(0)
  const paths = ['docs', 'openapi.json', 'asyncapi.json']
  const asked = Array.from({ length: 45 }, (_, index) => fetch(`${url}/${paths[index % 3]}`))
  const etags = new Set<string | null>()
  for (const reply of await Promise.all(asked)) {
    expect(reply.status).toBe(200)
    etags.add(reply.headers.get('etag'))
    await reply.arrayBuffer()
  }
  expect(made).toBe(2)
  expect(etags.size).toBe(3)
})
