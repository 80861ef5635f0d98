import {
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent } from '../../server/api/event/events.ts'
import { DEFAULT_ENGINE } from '../../server/api/v1/system/engines.ts'
import { restoreFromCommandLine } from '../../server/restore.ts'
import { Backups } from '../../server/store/backup/backups.ts'
import { isKnown } from '../../server/store/backup/copy.ts'
import { backupName } from '../../server/store/backup/files.ts'
import { latestVersion, migrate } from '../../server/store/database/migrations.ts'
import { openStorage } from '../../server/store/recovery/open.ts'
import { readNotice } from '../../server/store/recovery/replace.ts'
import { RemovalRecords, type SandboxRemovals } from '../../server/store/sandbox/removals.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

let folder: string
let file: string
let remove: () => void
const log = { info: () => {}, warn: () => {} }

beforeEach(() => {
  const store = openStore()
  folder = store.folder
  file = join(folder, 'atelier.db')
  remove = store.remove
  store.close()
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})
afterEach(() => {
  remove()
})

const says = (text: string): NewEvent => ({
  kind: 'ConversationStateUpdateEvent',
  source: 'environment',
  key: 'test',
  value: text.repeat(200),
})

/** An instance with conversations, closed. @returns its id and what it holds */
async function used(conversations = 3, events = 60) {
  const opened = await openStorage(file)
  if (opened.kind !== 'open') throw new Error('It asks.')
  opened.database.close()
  const store = openStore(folder)
  const ids = Array.from({ length: conversations }, (_, index) => {
    const conversation = aConversation({ title: `Kept ${index}` })
    store.conversations.insert(conversation)
    for (let count = 0; count < events; count++) store.eventLog.append(conversation.id, says(`${index} ${count} `))
    return conversation.id
  })
  store.close()
  return { instanceId: opened.instanceId, ids }
}

async function backUp(now = new Date()) {
  const backups = new Backups({ dataDir: folder, file, log, now: () => now, onChange: () => {} })
  return backups.make('daily')
}

function damagePages(from: number, count: number) {
  const handle = openSync(file, 'r+')
  for (let page = from; page < from + count; page++) writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096)
}

describe('a database of an earlier version with a page that cannot be read', () => {
  it('is repaired as its tables change, with everything else in it', async () => {
    const { instanceId } = await used(40, 4)
    const database = new DatabaseSync(file)
    database.exec('DROP INDEX event_kind; DROP INDEX event_user_message')
    const version = latestVersion() - 1
    database.exec(`PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`)
    database.close()
    damagePages(Math.floor(statSync(file).size / 4096 / 2), 1)
    const opened = await openStorage(file)
    if (opened.kind !== 'open') throw new Error('It asks.')
    expect(opened.instanceId).toBe(instanceId)
    opened.database.close()
    const store = openStore(folder)
    const kept = store.conversations.count({ includeSubConversations: true })
    expect(kept).toBeGreaterThan(20)
    store.close()
  })
})

describe('backups', () => {
  it('hold everything while the database is in use, seven of them, and one a day', async () => {
    const { ids } = await used()
    const store = openStore(folder)
    for (let day = 1; day <= 9; day++) await backUp(new Date(Date.UTC(2030, 0, day)))
    store.eventLog.append(ids[0] as (typeof ids)[number], says('later'))
    const kept = readdirSync(join(folder, 'backups')).sort()
    expect(kept).toHaveLength(7)
    expect(kept[0]).toContain('2030-01-03')
    const at = new Date(Date.UTC(2030, 0, 9, 12))
    const backups = new Backups({ dataDir: folder, file, log, now: () => at, onChange: () => {} })
    await backups.makeIfDue()
    expect(backups.list()).toHaveLength(7)
    expect(backups.list()[0]?.created_at).toBe('2030-01-09T00:00:00.000Z')
    store.close()
    copyFileSync(join(folder, 'backups', kept.at(-1) ?? ''), file)
    const again = openStore(folder)
    expect(again.conversations.count({ includeSubConversations: true })).toBe(3)
    again.close()
  })

  it('are made before tables change', async () => {
    const older = new DatabaseSync(file)
    migrate(older, 15)
    older.close()
    const opened = await openStorage(file)
    if (opened.kind === 'open') opened.database.close()
    expect(readdirSync(join(folder, 'backups'))).toEqual([expect.stringMatching(/-migration\.db$/)])
  })

  it('are restored with one command, and the database from before is kept', async () => {
    const { ids } = await used(1, 1)
    await backUp()
    writeFileSync(file, 'not a database '.repeat(1000))
    await restoreFromCommandLine(folder, 'latest')
    const store = openStore(folder)
    expect(store.conversations.get(ids[0] as (typeof ids)[number])?.title).toBe('Kept 0')
    store.close()
    expect(readdirSync(join(folder, 'replaced'))).toHaveLength(1)
  })
})

describe('a damaged database', () => {
  it('is repaired row by row: what can be read is there, logs are dense, and all of its files are kept together', async () => {
    const { instanceId, ids } = await used(3, 200)
    const pages = statSync(file).size / 4096
    damagePages(Math.floor(pages / 2), 3)
    writeFileSync(`${file}.damaged`, '')
    const opened = await openStorage(file)
    expect(opened).toMatchObject({ kind: 'open', instanceId })
    if (opened.kind === 'open') opened.database.close()
    const store = openStore(folder)
    let events = 0
    for (const id of ids) {
      const read = store.eventLog.read(id, 0, 100_000)
      expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index))
      events += read.filter(event => event.kind === 'ConversationStateUpdateEvent').length
    }
    expect(events).toBeGreaterThan(300)
    expect(store.conversations.count({ includeSubConversations: true })).toBe(3)
    store.close()
    expect(readNotice(file)).toMatchObject({ kind: 'salvaged', kept_in: expect.stringContaining('replaced') })
    expect(existsSync(join(readNotice(file)?.kept_in ?? '', 'atelier.db'))).toBe(true)
  })

  it('that cannot be read at all is replaced by the last backup that can, and the sandboxes stay its own', async () => {
    const { instanceId } = await used()
    await backUp(new Date(Date.UTC(2030, 0, 1)))
    const newer = await backUp(new Date(Date.UTC(2030, 0, 2)))
    truncateSync(join(folder, 'backups', newer.name), 5000)
    writeFileSync(file, 'not a database '.repeat(1000))
    const opened = await openStorage(file)
    expect(opened).toMatchObject({ kind: 'open', instanceId })
    if (opened.kind === 'open') opened.database.close()
    expect(readNotice(file)?.message).toContain('2030-01-01')
  })

  it('comes back without the sandboxes that nobody had kept when it was backed up: they may be at work by now', async () => {
    await used()
    const removals = (act: (removals: SandboxRemovals) => void) => {
      const store = openStore(folder)
      act(new RemovalRecords(store.database).of(DEFAULT_ENGINE))
      store.close()
    }
    removals(known => {
      known.begin('prepared', 'abandoned')
      known.begin('gone', 'deleted')
    })
    await backUp()
    writeFileSync(file, 'not a database '.repeat(1000))
    const opened = await openStorage(file)
    if (opened.kind === 'open') opened.database.close()
    removals(known => expect([[...known.ids], known.reasonOf('gone')]).toEqual([['gone'], 'deleted']))
  })

  it('without a backup asks, changes nothing until it is answered, and adopts the sandboxes', async () => {
    const { instanceId } = await used()
    const garbage = 'not a database '.repeat(1000)
    writeFileSync(file, garbage)
    const asked = await openStorage(file)
    expect(asked).toMatchObject({ kind: 'undecided', question: { kind: 'damaged' } })
    if (asked.kind === 'undecided') asked.release()
    expect(statSync(file).size).toBe(garbage.length)
    const adopted = await openStorage(file, { choice: 'adopt' })
    expect(adopted).toMatchObject({ kind: 'open', instanceId })
    if (adopted.kind === 'open') adopted.database.close()
  })
})

describe('a missing or empty database beside what belonged to one', () => {
  it.each(['missing', 'empty'])('asks before it begins anew: %s', async how => {
    const { instanceId } = await used()
    const backup = await backUp()
    if (how === 'missing') rmSync(file)
    else truncateSync(file, 0)
    const asked = await openStorage(file)
    expect(asked).toMatchObject({ kind: 'undecided', question: { kind: 'missing' } })
    if (asked.kind === 'undecided') asked.release()
    const anew = await openStorage(file, { choice: 'new' })
    if (anew.kind !== 'open') throw new Error('It asks again.')
    expect(anew.instanceId).not.toBe(instanceId)
    anew.database.close()
    rmSync(file)
    const restored = await openStorage(file, { choice: 'restore', backup: backup.name })
    expect(restored).toMatchObject({ kind: 'open', instanceId })
    if (restored.kind === 'open') restored.database.close()
  })

  it('is no question at the first start of a folder', async () => {
    const opened = await openStorage(file)
    expect(opened.kind).toBe('open')
    if (opened.kind === 'open') opened.database.close()
  })
})

describe('a database of a newer version', () => {
  it('is kept and asked about, and a backup that this version knows can take its place', async () => {
    const { instanceId } = await used()
    const known = await backUp()
    setVersion(file, latestVersion() + 1)
    const unknown = await newerBackup()
    const before = readFileSync(file)
    const asked = await openStorage(file)
    expect(asked).toMatchObject({ kind: 'undecided', question: { kind: 'newer' } })
    if (asked.kind === 'undecided') asked.release()
    expect(readFileSync(file).equals(before)).toBe(true)
    await expect(openStorage(file, { choice: 'restore', backup: unknown })).rejects.toThrowError(/newer Atelier/)
    expect(isKnown(join(folder, 'backups', known.name))).toBe(true)
    expect(isKnown(join(folder, 'backups', unknown))).toBe(false)
    const restored = await openStorage(file, { choice: 'restore' })
    expect(restored).toMatchObject({ kind: 'open', instanceId })
    if (restored.kind === 'open') restored.database.close()
    const kept = readNotice(file)?.kept_in ?? ''
    expect(readFileSync(join(kept, 'atelier.db')).equals(before)).toBe(true)
  })
})

function setVersion(database: string, version: number): void {
  const connection = new DatabaseSync(database)
  connection.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${version}`)
  connection.close()
}

async function newerBackup(): Promise<string> {
  const name = backupName('daily', new Date(Date.now() + 1_000))
  copyFileSync(file, join(folder, 'backups', name))
  return name
}
