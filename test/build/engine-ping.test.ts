import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ping } from '../../build/engine/ping.mjs'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'engine-ping-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a socket that answers something else is no engine', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const socket = join(home, 'other.sock')
  await new Promise<void>(resolve => server.listen(socket, resolve))
  expect(await ping(`unix://${socket}`)).toBe(false)
  await new Promise(resolve => server.close(resolve))
})

test('a socket that accepts and says nothing is given up', async () => {
  const server = createServer(() => undefined)
  const socket = join(home, 'silent.sock')
  await new Promise<void>(resolve => server.listen(socket, resolve))
  expect(await ping(`unix://${socket}`, 50)).toBe(false)
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})
