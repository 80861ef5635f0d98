import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { Database } from '../../server/store/database/database.ts'
import { claimFolder } from '../../server/store/database/lock.ts'
import { smallDisk } from '../parts/engine/small-disk.ts'

it.skipIf(process.getuid?.() !== 0)(
  'a database is opened on a full disk without writing (only root may mount one)',
  () => {
    const disk = smallDisk(5)
    try {
      const file = join(disk.folder, 'atelier.db')
      // Another reader, whose files beside the database stay when it is closed.
      const before = Database.open(file)
      const reader = new DatabaseSync(file)
      reader.exec('BEGIN; SELECT * FROM sqlite_master')
      before.close()
      const lock = claimFolder(file)
      disk.fill()
      const database = Database.open(file, lock)
      expect(database.all('SELECT * FROM conversation')).toEqual([])
      expect(() => database.run('CREATE TABLE more (value TEXT)')).toThrow(/disk is full/)
      reader.close()
      disk.free()
      database.run('CREATE TABLE more (value TEXT)')
      database.close()
    } finally {
      disk.remove()
    }
  },
)
