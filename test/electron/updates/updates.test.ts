import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { signDescriptions } from '../../../build/release/signature.mjs'
import type { Updates as Shown } from '../../../electron/ipc.ts'
import { FeedClient } from '../../../electron/updates/feed-client.ts'
import { createInstaller } from '../../../electron/updates/installer.ts'
import type { UpdatesOptions } from '../../../electron/updates/options.ts'
import { isDue } from '../../../electron/updates/record.ts'
import { Updates } from '../../../electron/updates/updates.ts'
import { type FeedServer, startFeedServer } from '../../parts/updates/feed-server.ts'
import { newPublisher } from '../../parts/updates/versions.ts'

const PACKAGE = Buffer.alloc(300_000, 'package')
const SHA512 = createHash('sha512').update(PACKAGE).digest('base64')
const LATEST = `latest-${process.platform}-${process.arch}.yml`
const publisher = newPublisher()
let folder: string
let server: FeedServer
let now: Date
let quits: number
let backups: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-updates-'))
  server = await startFeedServer(folder)
  now = new Date('2026-11-27T08:00:00Z')
  quits = 0
  backups = 0
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('looks at most once a day, and a clock that was set back does not end it', () => {
  const at = (checkedAt: string | null, allowed: boolean | null = true) => isDue({ allowed, checkedAt }, now)
  expect(at(null)).toBe(true)
  expect(at('2026-11-26T08:00:01.000Z')).toBe(false)
  expect(at('2026-11-26T08:00:00.000Z')).toBe(true)
  expect(at('2026-12-24T08:00:00.000Z')).toBe(true)
  expect(at(null, null)).toBe(false)
  expect(at(null, false)).toBe(false)
})

test('the person allows it once, and it is remembered with the time of the look', async () => {
  publish('1.0.1')
  const updates = open()
  await updates.act('forbid')
  expect(server.requests).toEqual([])
  await updates.act('allow')
  expect(updates.shown()).toMatchObject({ allowed: true, checkedAt: now.toISOString(), state: { kind: 'available' } })
  const asked = server.requests.length
  now = new Date('2026-11-27T20:00:00Z')
  await updates.act('allow')
  expect(server.requests).toHaveLength(asked)
  expect(open().shown()).toMatchObject({ allowed: true, checkedAt: '2026-11-27T08:00:00.000Z' })
})

test('an older version, and the one that runs, are no updates', async () => {
  for (const version of ['0.9.9', '1.0.0']) {
    publish(version)
    const updates = open()
    await updates.act('check')
    expect(updates.shown().state).toEqual({ kind: 'idle', problem: null })
    await updates.act('download')
    expect(updates.shown().state.kind).toBe('idle')
  }
})

test('a description without an end is cut off, and is no update', async () => {
  publish('1.0.1')
  server.replace(LATEST, 'x'.repeat(1_000_000))
  const updates = open()
  await updates.act('check')
  expect(updates.shown().state).toMatchObject({ kind: 'idle', problem: { code: 'unreachable' } })
})

test('what is known to be newer is still offered when a later look fails', async () => {
  publish('1.0.1')
  const updates = open()
  await updates.act('check')
  server.replace(LATEST, 'x'.repeat(1_000_000))
  await updates.act('check')
  expect(updates.shown().state).toMatchObject({
    kind: 'available',
    release: { version: '1.0.1' },
    problem: { code: 'unreachable' },
  })
})

test('a feed that is not there says so, and is not asked again all day', async () => {
  const updates = open()
  await updates.act('allow')
  expect(updates.shown()).toMatchObject({
    checkedAt: now.toISOString(),
    state: { kind: 'idle', problem: { code: 'unreachable' } },
  })
})

test('what is downloaded is installed after a backup, and not without one', async () => {
  publish('1.0.1')
  const failing = open({ backUp: () => Promise.reject(new Error('The disk is full.')) })
  await failing.act('check')
  await failing.act('download')
  expect(failing.shown().state).toMatchObject({ kind: 'ready', problem: null })
  await failing.act('install')
  expect(quits).toBe(1)
  expect(await failing.prepare()).toBe(false)
  expect(failing.shown().state).toMatchObject({
    kind: 'ready',
    problem: { code: 'no_backup', detail: 'The disk is full.' },
  })
  expect(await failing.prepare()).toBe(true) // who only wants to quit quits
  expect(failing.isPrepared()).toBe(false)

  const updates = open()
  await updates.act('check')
  await updates.act('download')
  expect(await updates.prepare()).toBe(true)
  expect({ backups, prepared: updates.isPrepared() }).toEqual({ backups: 1, prepared: true })
})

test('a package that was changed after its download is fetched again', async () => {
  publish('1.0.1')
  const updates = open()
  await updates.act('check')
  await updates.act('download')
  const file = join(folder, 'kept', '1.0.1', 'pending', 'atelier-1.0.1.tar.gz')
  expect(readFileSync(file).equals(PACKAGE)).toBe(true)
  writeFileSync(file, Buffer.alloc(PACKAGE.length, 'other'))
  const again = open()
  await again.act('check')
  await again.act('download')
  expect(readFileSync(file).equals(PACKAGE)).toBe(true)
  expect(server.requests.filter(({ path }) => path.endsWith('.tar.gz'))).toHaveLength(2)
})

test('after the update the version before is offered, from this disk where it was kept', async () => {
  publish('1.0.1')
  const old = open()
  await old.act('check')
  await old.act('download')
  await old.prepare()
  const updated = open({ version: '1.0.1' })
  expect(updated.shown().previous).toEqual({ version: '1.0.0', backup: 'backup 1' })
  publish('1.0.0', `atelier-1.0.0-${process.platform}-${process.arch}.yml`)
  await updated.act('go_back')
  expect(updated.shown().state).toMatchObject({ kind: 'ready', release: { version: '1.0.0', isOlder: true } })
  await updated.prepare()
  const back = open()
  expect(back.shown().previous).toEqual({ version: '1.0.1', backup: 'backup 2' })
  const asked = server.requests.length
  await back.act('go_back')
  expect(back.shown().state).toMatchObject({ kind: 'ready', release: { version: '1.0.1' } })
  expect(server.requests).toHaveLength(asked)
})

test('an update that did not come about is said at the next start', async () => {
  publish('1.0.1')
  const updates = open()
  await updates.act('check')
  await updates.act('download')
  await updates.prepare()
  expect(open().shown().state).toMatchObject({ kind: 'idle', problem: { code: 'not_installed' } })
})

test('an installation that cannot be replaced gets the address and the hash of the package', async () => {
  publish('1.0.1')
  const updates = open({ kind: 'manual' })
  await updates.act('check')
  expect(updates.shown().state).toMatchObject({
    kind: 'available',
    release: { manual: { url: `${server.url}atelier-1.0.1.tar.gz`, sha512: expect.any(String) } },
  })
  await updates.act('download')
  expect(updates.shown().state.kind).toBe('available')
})

test('a package without a feed asks nobody, and says why', async () => {
  const updates = open({ feed: undefined })
  for (const action of ['allow', 'check', 'download', 'go_back'] as const) await updates.act(action)
  expect(updates.shown().state).toEqual({ kind: 'unavailable', reason: 'no_feed' })
  expect(open({ feed: null }).shown().state).toEqual({ kind: 'unavailable', reason: 'broken_feed' })
})

test('a record that makes no sense allows nothing', async () => {
  publish('1.0.1')
  await open().act('allow')
  const file = join(folder, 'kept', 'record.json')
  const record = JSON.parse(readFileSync(file, 'utf8'))
  expect(open().shown().allowed).toBe(true)
  for (const text of ['{', JSON.stringify({ ...record, previous: { version: 1 } })]) {
    writeFileSync(file, text)
    expect(open().shown()).toMatchObject({ allowed: null, checkedAt: null, previous: null } satisfies Partial<Shown>)
  }
})

function open(options: Partial<UpdatesOptions> = {}): Updates {
  return new Updates({
    feed: { url: new URL(server.url), publicKeys: [publisher.publicKey] },
    kind: 'tar',
    version: '1.0.0',
    resources: join(folder, 'app', 'resources'),
    folder: join(folder, 'kept'),
    open: async feed => ({ client: new FeedClient(feed, async () => null), createInstaller }),
    now: () => now,
    backUp: async () => `backup ${++backups}`,
    isServing: () => true,
    quit: () => {
      quits++
    },
    ...options,
  })
}

function publish(version: string, name = LATEST): void {
  const url = `atelier-${version}.tar.gz`
  writeFileSync(join(folder, url), PACKAGE)
  const files = [{ url, sha512: SHA512, size: PACKAGE.length }]
  writeFileSync(
    join(folder, name),
    stringify({ version, releaseDate: '2026-01-01T00:00:00.000Z', releaseNotes: '', files }),
  )
  signDescriptions(folder, { key: publisher.privateKey })
}
