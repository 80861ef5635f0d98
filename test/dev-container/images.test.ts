import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { byteCount } from '../../server/dev-container/cli/byte-count.ts'
import { type ImageRecord, ImageRecords } from '../../server/dev-container/record.ts'
import { RepositoryTree, type TreeFile } from '../../server/dev-container/tree.ts'
import { newFolder } from '../parts/test-folder.ts'

const RECORD: ImageRecord = {
  image: 'atelier-dev-container:0f1e',
  imageId: 'sha256:0f1e',
  user: '0:0',
  home: '/root',
  env: {},
  commands: [],
  leftOut: [],
}

it('of the images that were made the newest hundred are known', async () => {
  const folder = join(newFolder().path, 'records')
  mkdirSync(folder)
  const records = new ImageRecords(folder)
  for (let index = 0; index < 101; index++) {
    await records.put(`key-${index}`, RECORD)
    // However coarse the clock of the disk is.
    utimesSync(join(folder, `key-${index}.json`), index, index)
  }
  await records.put('key-101', RECORD)
  expect(readdirSync(folder)).toHaveLength(100)
  expect(await records.get('key-1')).toBeUndefined()
  expect(await records.get('key-2')).toEqual(RECORD)
  expect(await records.get('key-101')).toEqual(RECORD)
})

it.each([
  ['app/link', '../secret', 'app', undefined],
  ['app/link', '../secret', '', '../secret'],
  ['app/sub/link', '../other', 'app', '../other'],
  ['app/sub/link', '../../secret', 'app', undefined],
  ['app/link', '/etc/passwd', 'app', undefined],
  ['link', 'other', '', 'other'],
])('the link %s to %s is judged in the build context %s', (path, target, folder, expected) => {
  const link: TreeFile = { path, mode: '120000', object: '', sizeBytes: target.length }
  expect(RepositoryTree.targetOf(link, Buffer.from(target), folder)).toBe(expected)
})

it.each([
  ['text', 'ää', 4],
  ['bytes', Buffer.from('abc'), 3],
  ['several', [Buffer.from('ab'), 'cd', new Uint8Array(3)], 7],
  ['a stream', { pipe: () => {} }, 0],
  ['nothing', undefined, 0],
])('of %s that the command line writes the bytes are counted', (_what, content, expected) => {
  expect(byteCount(content)).toBe(expected)
})
