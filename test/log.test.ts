import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog, type OpenLog } from '../server/log.ts'
import { createMask } from '../server/secret/mask/mask.ts'

const SECRET = 'canary-5f1e0c9a7b'
let folder: string
let open: OpenLog
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'atelier-log-')), 'logs')
  open = createLog({ folder, level: 'trace', stderr: false })
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

async function written(): Promise<string> {
  await open.close()
  return readFileSync(join(folder, 'atelier.log'), 'utf8')
}

it('only the owner reads the log, also after it has rotated', async () => {
  const line = 'x'.repeat(100_000)
  for (let count = 0; count < 60; count++) open.log.info(line)
  await written()
  const names = readdirSync(folder).filter(name => name.includes('atelier.log'))
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('a field that is named like a secret is hidden at any depth, and a number of tokens is not', async () => {
  open.log.info({ a: [{ b: { c: { api_key: SECRET, headers: { x: SECRET }, accessToken: SECRET } } }], max_tokens: 7 })
  const text = await written()
  expect(text).not.toContain(SECRET)
  expect(text).toContain('"max_tokens":7')
})

it('a known value is hidden wherever it stands: in words, in errors and in what caused them', async () => {
  open.maskWith(createMask([SECRET]).mask)
  const cause = Object.assign(new Error(`inner ${SECRET}`), { request: { url: `http://x/?k=${SECRET}` } })
  const error = new Error(`outer ${SECRET}`, { cause })
  open.log.error({ error, list: [SECRET], [SECRET]: 1 }, `It failed with ${SECRET}`)
  open.log.child({ who: SECRET }).warn(JSON.stringify({ deep: { [SECRET]: Buffer.from(SECRET).toString('base64') } }))
  const text = await written()
  expect(text).toContain('outer')
  expect(text).toContain('inner')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(Buffer.from(SECRET).toString('base64'))
})

it('what is nested for ever, or holds itself, is cut and ends nothing', async () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  let deep: unknown = 1
  for (let level = 0; level < 10_000; level++) deep = [deep]
  open.log.info({ loop, deep, many: Array(1_000_000).fill(1) })
  expect((await written()).length).toBeLessThan(5000)
})

it('a line that cannot be masked is left out, and logging it does not fail', async () => {
  open.maskWith(() => {
    throw new Error(SECRET)
  })
  open.log.error(SECRET)
  const text = await written()
  expect(text).not.toContain(SECRET)
  expect(text).toContain('could not be masked')
})
