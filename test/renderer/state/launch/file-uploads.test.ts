import { expect, test } from 'vitest'
import { appended, withAttached } from '../../../../renderer/state/launch/composer-attachments.ts'
import {
  type FileUpload,
  sendingUpload,
  uploadsAsText,
  uploadsForStart,
  uploadsOfStart,
  uploadsOfText,
  waitReason,
  withState,
} from '../../../../renderer/state/launch/file-uploads.ts'

const FILE = new File(['abc'], 'a.csv')
const sending = sendingUpload(FILE, 'one', 'a.csv')
const done: FileUpload = { id: 'two', name: 'b', bytes: 4, state: { kind: 'done', at: '/tmp/attachments/b\nc' } }
const failed: FileUpload = { ...sending, id: 'three', state: { kind: 'failed', reason: new Error('no'), file: FILE } }

test('a message waits for what is sent, then for what failed, and not for what is there', () => {
  expect(waitReason([done])).toBe(null)
  expect(waitReason([done, failed])).toBe('failed')
  expect(waitReason([done, failed, sending])).toBe('sending')
})

test('a file that was removed does not come back when its upload ends', () => {
  const state = { kind: 'done', at: '/tmp/attachments/a.csv' } as const
  expect(withState([sending], 'one', state)).toEqual([{ id: 'one', name: 'a.csv', bytes: 3, state }])
  expect(withState([done], 'one', state)).toEqual([done])
})

test('only what is in the sandbox outlives the window, and foreign text is nothing', () => {
  expect(uploadsOfText(uploadsAsText([sending, done, failed]))).toEqual([done])
  expect(uploadsAsText([sending, failed])).toBe('')
  for (const text of ['', '{', '[1]', '[{"id":"x"}]', 'null']) expect(uploadsOfText(text)).toEqual([])
})

test('a start names those that are at the service, and they can be taken back from it', () => {
  expect(uploadsForStart([sending, done, failed])).toEqual([{ id: '/tmp/attachments/b\nc', name: 'b' }])
  expect(uploadsOfStart(uploadsForStart([done]))).toEqual([
    expect.objectContaining({ name: 'b', bytes: null, state: done.state }),
  ])
})

test('the message names the paths of what is there, quoted', () => {
  const attached = { paths: ['/x'], notes: [], uploads: [done, failed] }
  expect(withAttached('Look', attached)).toBe('Look\n\nFiles:\n- "/x"\n\nAttached files:\n- "/tmp/attachments/b\\nc"')
})

test('what was read slowly is added to what came meanwhile, and pictures beyond the eighth are refused', () => {
  const picture = (name: string) => ({ name, dataUrl: `data:${name}`, bytes: 1 })
  const now = {
    images: [picture('a'), picture('b')],
    paths: ['/p'],
    notes: [{ id: '1', name: 'n', text: 't' }],
    uploads: [done],
    reading: [],
  }
  const { next, refused } = appended(now, { images: [picture('c')], paths: ['/p', '/q'], uploads: [sending] })
  expect(next).toEqual({
    images: [...now.images, picture('c')],
    paths: ['/p', '/q'],
    notes: now.notes,
    uploads: [done, sending],
    reading: [],
  })
  expect(refused).toEqual([])
  const many = appended(now, { images: Array.from({ length: 8 }, (_, at) => picture(`${at}`)) })
  expect(many.next.images).toHaveLength(8)
  expect(many.refused.map(({ name }) => name)).toEqual(['6', '7'])
})
