import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { isAppError } from '../../server/domain/errors.ts'
import { Database } from '../../server/store/database/database.ts'
import { migrate } from '../../server/store/database/migrations.ts'
import { openStorage } from '../../server/store/recovery/open.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

const opened: { remove(): void }[] = []
const store = () => {
  const one = openStore()
  opened.push(one)
  return one
}

afterEach(() => {
  for (const one of opened.splice(0)) one.remove()
})

describe('the database', () => {
  it('is readable by its owner alone', () => {
    const { folder } = store()
    expect(statSync(join(folder, 'atelier.db')).mode & 0o777).toBe(0o600)
  })

  it('gives the space of what was deleted back to the disk', () => {
    const { folder, database, conversations, eventLog } = store()
    const file = join(folder, 'atelier.db')
    const conversation = aConversation()
    conversations.insert(conversation)
    const value = 'x'.repeat(20_000)
    for (let count = 0; count < 200; count++) {
      eventLog.append(conversation.id, {
        kind: 'ConversationStateUpdateEvent',
        source: 'environment',
        key: 'test',
        value,
      })
    }
    expect(database.emptyBytes()).toBe(0)
    conversations.delete(conversation.id)
    database.run('DELETE FROM event')
    expect(database.emptyBytes()).toBeGreaterThan(4_000_000)
    while (database.giveBack());
    expect(database.emptyBytes()).toBe(0)
    expect(statSync(file).size).toBeLessThan(1_000_000)
  })

  it('of an earlier version keeps that space for what comes, and says that nothing can be given back', () => {
    const { folder } = store()
    const file = join(folder, 'earlier.db')
    const earlier = new DatabaseSync(file)
    migrate(earlier)
    earlier.close()
    const database = Database.open(file)
    database.run('CREATE TABLE gone (text TEXT)')
    database.run('INSERT INTO gone (text) VALUES (?)', ['x'.repeat(1_000_000)])
    database.run('DROP TABLE gone')
    expect(database.emptyBytes()).toBe(0)
    expect(database.giveBack()).toBe(false)
    database.close()
  })

  it('is refused to a second service with what to do, and free again after the first has closed', () => {
    const first = store()
    const file = join(first.folder, 'atelier.db')
    expect(() => Database.open(file)).toThrowError(/in use by another Atelier/)
    first.close()
    Database.open(file).close()
  })

  it('is refused to a second service also when somebody has removed the lock of the first', async () => {
    const { folder } = store()
    const file = join(folder, 'used.db')
    const script = `
      import { DatabaseSync } from '@photostructure/sqlite'
      globalThis.held = new DatabaseSync(process.argv[1])
      globalThis.held.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS used (n)')
      console.log('open')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file])
    await once(child.stdout, 'data')
    for (let time = 0; time < 2; time++) {
      rmSync(`${file}.lock`, { force: true })
      expect(() => Database.open(file)).toThrowError(/in use by another Atelier/)
      await expect(openStorage(file)).rejects.toThrow(/in use by another Atelier/)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    Database.open(file).close()
  })

  it('is free again after its service was killed', async () => {
    const { folder } = store()
    const file = join(folder, 'killed.db')
    const script = `
      import { DatabaseSync } from '@photostructure/sqlite'
      // What nobody refers to is collected, and its lock with it.
      globalThis.held = new DatabaseSync(process.argv[1])
      globalThis.held.exec('BEGIN EXCLUSIVE')
      console.log('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, `${file}.lock`])
    await once(child.stdout, 'data')
    expect(() => Database.open(file)).toThrowError(/in use by another Atelier/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    Database.open(file).close()
  })

  it('is one whole file after a clean stop: a copy of it alone holds everything', () => {
    const { folder, conversations, close } = store()
    const kept = aConversation()
    conversations.insert(kept)
    conversations.get(kept.id)
    close()
    expect(readdirSync(folder).sort()).toEqual(['atelier.db', 'atelier.db.lock'])
    const copy = store()
    copy.close()
    copyFileSync(join(folder, 'atelier.db'), join(copy.folder, 'atelier.db'))
    const opened = openStore(copy.folder)
    expect(opened.conversations.get(kept.id)).toEqual(kept)
    opened.close()
  })

  it('makes a damaged lock file anew, and is refused all the same while another service holds it', () => {
    const { folder } = store()
    const file = join(folder, 'locked.db')
    writeFileSync(`${file}.lock`, 'not a lock at all, and long enough to be read as a page '.repeat(200))
    Database.open(file).close()

    const holder = Database.open(file)
    writeFileSync(`${file}.lock`, 'damaged while it is held '.repeat(400))
    expect(() => Database.open(file)).toThrowError(/in use by another Atelier/)
    holder.close()
    Database.open(file).close()
  })

  it('says in words why it cannot be opened', () => {
    const { folder } = store()
    mkdirSync(join(folder, 'a-folder.db'))
    expect(() => Database.open(join(folder, 'a-folder.db'))).toThrowError(/a-folder\.db cannot be opened\. Check that/)
    writeFileSync(join(folder, 'a-file'), '')
    expect(() => Database.open(join(folder, 'a-file', 'atelier.db'))).toThrowError(/a-file is a file, not a folder/)
  })

  it('names a damaged file as such', () => {
    const { folder } = store()
    const file = join(folder, 'broken.db')
    writeFileSync(file, 'this is not a database, and it is long enough to be read as a header page'.repeat(20))
    expect(() => Database.open(file)).toThrowError(/damaged/)
  })

  it('refuses a file of a newer version', () => {
    const { folder } = store()
    const file = join(folder, 'newer.db')
    const database = Database.open(file)
    database.run('PRAGMA user_version = 999')
    database.close()
    expect(() => Database.open(file)).toThrowError(/newer Atelier/)
  })

  it('gives a conversation that an earlier version left without a time its time again', () => {
    const { folder } = store()
    const older = new DatabaseSync(join(folder, 'older.db'))
    migrate(older, 15)
    older.exec(`INSERT INTO conversation (id, created_at, updated_at, title_is_default, sandbox_id, working_dir, pr_number,
      execution_status, max_iterations, stats) VALUES ('a', '2026-01-01T00:00:00.000Z', '', 0, '', '', '[]', 'idle', 1, '{}')`)
    older.close()
    const healed = Database.open(join(folder, 'older.db'))
    expect(healed.get('SELECT updated_at FROM conversation')).toEqual({ updated_at: '2026-01-01T00:00:00.000Z' })
    healed.close()
  })

  it('undoes a transaction that fails half-way', () => {
    const { database, conversations } = store()
    const kept = aConversation()
    expect(() =>
      database.transaction(() => {
        conversations.insert(kept)
        throw new Error('half-way')
      }),
    ).toThrow('half-way')
    expect(conversations.get(kept.id)).toBeUndefined()
    conversations.insert(kept)
    expect(conversations.get(kept.id)).toEqual(kept)
  })

  it('says that the store failed, as an error of ours', () => {
    const { database } = store()
    try {
      database.run('INSERT INTO nowhere VALUES (1)')
      expect.unreachable()
    } catch (error) {
      expect(isAppError(error, 'store_failed')).toBe(true)
    }
  })
})

describe('conversations', () => {
  it('come back as they were stored', () => {
    const { conversations } = store()
    const conversation = aConversation({ pr_number: [3, 5], max_budget_per_task: 1.5, instructions: "it's; --" })
    conversations.insert(conversation)
    expect(conversations.get(conversation.id)).toEqual(conversation)
  })

  it('keep what an update does not name', () => {
    const { conversations } = store()
    const conversation = aConversation({ selected_repository: 'a/b' })
    conversations.insert(conversation)
    conversations.update(conversation.id, { title: 'New', title_is_default: true })
    expect(conversations.get(conversation.id)).toEqual({ ...conversation, title: 'New', title_is_default: true })
  })

  it('are listed newest first, filtered and paged', () => {
    const { conversations } = store()
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
    for (const day of [1, 2, 3]) conversations.insert(aConversation({ title: `Day ${day}`, created_at: at(day) }))
    conversations.insert(aConversation({ title: 'Day child', created_at: at(4), parent_conversation_id: 'p' }))
    const titles = (filter: object, offset = 0, limit = 10) =>
      conversations
        .list({ includeSubConversations: false, ...filter }, 'created_at', offset, limit)
        .map(({ title }) => title)
    expect(titles({})).toEqual(['Day 3', 'Day 2', 'Day 1'])
    expect(titles({}, 1, 1)).toEqual(['Day 2'])
    expect(titles({ titleContains: 'y 1' })).toEqual(['Day 1'])
    expect(titles({ createdFrom: at(2), createdBefore: at(3) })).toEqual(['Day 2'])
    expect(titles({ includeSubConversations: true })).toHaveLength(4)
    expect(conversations.count({ includeSubConversations: false })).toBe(3)
  })
})
