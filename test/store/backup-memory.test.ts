import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { checkDatabase } from '../../server/store/backup/copy.ts'

const ROWS = 30_000

test('a copy is read to its end while memory is being collected, which ended the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-backup-'))
  const file = join(folder, 'copy.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO row SELECT i, hex(zeroblob(400)) FROM n`)
  database.close()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let reading = true
  const collectAgain = () => {
    collect()
    if (reading) setImmediate(collectAgain)
  }
  collectAgain()
  const counts = await checkDatabase(file).finally(() => {
    reading = false
  })
  rmSync(folder, { recursive: true })
  expect(counts).toEqual(new Map([['row', ROWS]]))
})
