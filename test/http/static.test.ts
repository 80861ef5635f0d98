import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveRenderer } from '../../server/http/core/static.ts'

let folder: string
let server: Server

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-static-'))
  mkdirSync(join(folder, 'window/assets'), { recursive: true })
  writeFileSync(join(folder, 'window/index.html'), 'the window')
  writeFileSync(join(folder, 'window/assets/main.js'), 'the script')
  writeFileSync(join(folder, 'secret.json'), 'not for anybody')
  const app = express()
  serveRenderer(app, join(folder, 'window'))
  server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server?.close()
  rmSync(folder, { recursive: true })
})

/** As written: `fetch` would tidy the path. */
async function get(path: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

describe('path traversal: the files of the window', () => {
  it.each([
    ['/', 'the window'],
    ['/assets/main.js', 'the script'],
  ])('%s is served, under a policy that lets nothing else in', async (path, content) => {
    const reply = await get(path)
    expect(reply).toContain(content)
    expect(reply).toContain("Content-Security-Policy: default-src 'none'")
  })

  it.each([
    '//evil.example',
    '//evil.example/..',
    '/assets//evil.example',
    '/%2f%2fevil.example',
    '/\\\\evil.example',
    '/assets',
  ])('%s is no open redirect', async path => {
    expect(await get(path)).not.toMatch(/^location:/im)
  })

  it.each([
    '/../secret.json',
    '/..%2fsecret.json',
    '/assets/../../secret.json',
    '/assets/..%2f..%2fsecret.json',
    '/assets/%2e%2e/%2e%2e/secret.json',
    '/assets/..%5c..%5csecret.json',
    '/assets/nothing.js',
    '/assets/',
  ])('%s leads to nothing, which is no failure of the service', async path => {
    const reply = await get(path)
    expect(reply).toMatch(/^HTTP\/1\.1 404 /)
    expect(reply).not.toContain('not for anybody')
  })
})
