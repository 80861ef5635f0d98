import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { createOpenApi } from '../../server/api/openapi.ts'
import { APP_CONTRACT } from '../../server/api/routes.ts'
import { serveDocs } from '../../server/http/docs.ts'

it('a flood of questions for the contract makes its document once', async () => {
  let made = 0
  const app = express()
  serveDocs(app, {
    createDocument: () => {
      made++
      return createOpenApi(APP_CONTRACT, { url: 'http://127.0.0.1:3737', version: '1.0.0' })
    },
    example: '/api/v1/system',
  })
  const server = createServer(app)
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(made).toBe(0)
  const asked = Array.from({ length: 40 }, (_, index) => fetch(`${url}/${index % 2 === 0 ? 'docs' : 'openapi.json'}`))
  const etags = new Set<string | null>()
  for (const reply of await Promise.all(asked)) {
    expect(reply.status).toBe(200)
    etags.add(reply.headers.get('etag'))
    await reply.arrayBuffer()
  }
  expect(made).toBe(1)
  expect(etags.size).toBe(2)
})
