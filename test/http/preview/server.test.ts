import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { AppError } from '../../../server/domain/errors.ts'
import { servePreviews } from '../../../server/http/preview/server.ts'
import type { PreviewServer } from '../../../server/preview/previews.ts'
import { get } from '../../parts/client/raw-http.ts'

const HOST = `5173-${'a'.repeat(26)}.localhost`
let server: PreviewServer | undefined
afterEach(() => server?.close())

async function serve(parts: object) {
  const known = { address: async () => '', targetOf: async () => ({ sandboxId: 'a', port: 5173 }), ...parts }
  server = await servePreviews({
    port: 0,
    previews: known as unknown as Parameters<typeof servePreviews>[0]['previews'],
  })
  return `http://127.0.0.1:${server.port}/`
}

test('what fails before the sandbox is known is answered too', async () => {
  const failing = async () => {
    throw new AppError('engine_unavailable', 'The engine does not answer.')
  }
  const url = await serve({ targetOf: failing })
  expect(await get(url, { host: HOST })).toMatchObject({
    status: 503,
    body: expect.stringContaining('does not answer'),
  })
})

test('a connection that is gone before it is used is not waited for', async () => {
  const connection = new PassThrough()
  connection.destroy()
  const url = await serve({ connect: async () => connection })
  expect((await get(url, { host: HOST })).status).toBe(502)
})

test('an answer that is no HTTP leaves no connection behind', async () => {
  const open = new PassThrough()
  open.write('no HTTP at all\r\n\r\n')
  const url = await serve({ connect: async () => open })
  expect((await get(url, { host: HOST })).status).toBe(502)
  await expect.poll(() => open.destroyed).toBe(true)
})
