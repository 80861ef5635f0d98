import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { DiskWatch } from '../../server/disk/space.ts'
import { Backups } from '../../server/store/backup/backups.ts'
import { Database } from '../../server/store/database/database.ts'
import { smallDisk } from '../parts/engine/small-disk.ts'

const log = pino({ level: 'silent' })
const onChange = () => {}

it('tells who waits for space that there is some, also where the disk was full between two looks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-space-'))
  const watch = new DiskWatch({ name: 'the data folder', folder: () => folder, onChange, log })
  onTestFinished(() => {
    watch.close()
    rmSync(folder, { recursive: true })
  })
  await watch.start()
  const relieved = new Promise<void>(resolve => watch.onSpace(resolve))
  watch.refused()
  await relieved
})

it.skipIf(process.getuid?.() !== 0)('is heard of by whoever opened the database (only root may mount a disk)', () => {
  const disk = smallDisk(4)
  const database = Database.open(join(disk.folder, 'atelier.db'))
  onTestFinished(() => {
    database.close()
    disk.remove()
  })
  let times = 0
  database.onFull = () => times++
  database.run('CREATE TABLE filled (text TEXT)')
  disk.fill()
  expect(() => database.run('INSERT INTO filled VALUES (?)', ['x'.repeat(500_000)])).toThrow('The disk is full')
  expect(times).toBe(1)
})

it('does not make the backups that wait when the service ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-space-'))
  const database = Database.open(join(folder, 'atelier.db'))
  const backups = new Backups({ dataDir: folder, file: database.file, log, now: () => new Date(), onChange })
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  const made = Array.from({ length: 20 }, () => backups.make('manual'))
  await made[0]
  const ends = Promise.allSettled(made)
  await backups.close()
  const refused = (await ends).filter(end => end.status === 'rejected')
  expect(refused.length).toBeGreaterThan(15)
  expect(refused[0]?.reason).toMatchObject({ code: 'unavailable' })
})
