import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Machine, thisMachine } from '../../server/docker/candidates.mjs'
import { findEngine } from '../../server/docker/socket.ts'
import { it as base } from '../fixtures/base.ts'
import { startTlsEngine } from '../parts/engine/tls-engine.ts'
import { startParts } from '../sandbox/parts.ts'

const never = new AbortController().signal

const it = base
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = await startTlsEngine()
    onCleanup(engine.close)
    return engine
  })
  // The home of somebody whose current Docker context names it.
  .extend('home', { scope: 'file' }, ({ engine }, { onCleanup }) => {
    const home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
    onCleanup(() => rmSync(home, { recursive: true }))
    const digest = createHash('sha256').update('far').digest('hex')
    const folder = (kind: string, ...rest: string[]) => join(home, '.docker', 'contexts', kind, digest, ...rest)
    mkdirSync(folder('meta'), { recursive: true })
    writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify({ currentContext: 'far' }))
    const meta = { Name: 'far', Endpoints: { docker: { Host: engine.host } } }
    writeFileSync(folder('meta', 'meta.json'), JSON.stringify(meta))
    cpSync(engine.certificates, folder('tls', 'docker'), { recursive: true })
    return home
  })

const machineOf = (change: Partial<Machine>): Machine => ({ ...thisMachine(), env: {}, ...change })

it('an engine behind TLS that the current context names runs sandboxes', async ({ engine, home }) => {
  const parts = await startParts({ find: signal => findEngine(machineOf({ home }), signal) })
  await parts.connection.answers(never)
  expect(parts.connection.status()).toMatchObject({ state: 'ready', endpoint: engine.host })
  const { id } = await parts.sandboxes.start()
  const sandbox = await parts.sandboxes.open(id)
  const echoed = await sandbox.exec({ argv: ['sh', '-c', 'cat; exit 3'], stdin: Buffer.from('hi') })
  expect(echoed).toMatchObject({ stdout: 'hi', exitCode: 3 })
  await parts.close()
})

it('one that does not know the keys is refused in words', async ({ engine }) => {
  const env = { DOCKER_HOST: engine.host, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: engine.strangers }
  const found = await findEngine(machineOf({ env }), never)
  expect(found).toMatchObject({ kind: 'none', reason: expect.stringMatching(/certificate|self.signed/i) })
})
