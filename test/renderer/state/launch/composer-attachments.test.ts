import { expect, test } from 'vitest'
import {
  appended,
  broughtBack,
  type ComposerAttachments,
  finishedReading,
  type KeptAttachments,
  losesSomeAttached,
  NO_ATTACHMENTS,
  replacedAsText,
  replacedBy,
  replacedOfText,
  withoutReplaced,
  withUploadState,
} from '../../../../renderer/state/launch/composer-attachments.ts'
import { type FileUpload, sendingUpload } from '../../../../renderer/state/launch/file-uploads.ts'

const picture = (name: string) => ({ name, dataUrl: `data:${name}`, bytes: 1 })
const done = (id: string): FileUpload => ({ id, name: `${id}.csv`, bytes: 4, state: { kind: 'done', at: id } })
const sending = sendingUpload(new File(['abc'], 'slow.csv'), 'slow', 'slow.csv')
const attached = (fields: Partial<ComposerAttachments>) => ({ ...NO_ATTACHMENTS, ...fields })
const kept = (now: ComposerAttachments): KeptAttachments => ({ now, replaced: [] })

const MINE = attached({ images: [picture('mine')], uploads: [done('mine'), sending] })
const FAILED = attached({ images: [picture('failed')], uploads: [done('failed')] })

test('what was attached comes back, with what came since and without what took its place', () => {
  const again = replacedBy(kept(MINE), FAILED, true)
  expect(again.now).toEqual(FAILED)
  expect(broughtBack(again)).toEqual({ kept: kept(MINE), refused: [] })
  const more = { ...again, now: attached({ images: [...FAILED.images, picture('more')], uploads: [done('more')] }) }
  expect(broughtBack(more).kept.now).toEqual({
    ...MINE,
    images: [picture('mine'), picture('more')],
    uploads: [...MINE.uploads, done('more')],
  })
})

test('an upload that was replaced while it was under way has arrived when it comes back', () => {
  const again = replacedBy(kept(MINE), FAILED, true)
  const arrived = withUploadState(again, 'slow', { kind: 'done', at: 'arrived' })
  expect(arrived.now).toEqual(FAILED)
  const { uploads } = broughtBack(arrived).kept.now
  expect(uploads.map(({ state }) => state)).toEqual([
    { kind: 'done', at: 'mine' },
    { kind: 'done', at: 'arrived' },
  ])
})

test('what nothing is lost of is not kept, and what is below it stays', () => {
  for (const now of [NO_ATTACHMENTS, FAILED, attached({ images: FAILED.images })])
    expect(losesSomeAttached(now, FAILED)).toBe(false)
  for (const now of [MINE, attached({ uploads: [sending] }), attached({ images: [picture('mine')] })]) {
    expect(losesSomeAttached(now, FAILED)).toBe(true)
  }
  const other = attached({ uploads: [done('other')] })
  const second = replacedBy(replacedBy(kept(MINE), FAILED, true), other, false)
  expect(broughtBack(second).kept).toEqual(kept(MINE))
  expect(broughtBack(kept(FAILED)).kept).toEqual(kept(FAILED))
})

test('pictures beyond the eighth are refused when others come back', () => {
  const images = Array.from({ length: 8 }, (_, at) => picture(`${at}`))
  const again = replacedBy(kept(attached({ images })), FAILED, true)
  const more = { ...again, now: attached({ images: [picture('more')] }) }
  const back = broughtBack(more)
  expect(back.kept.now.images).toEqual(images)
  expect(back.refused.map(({ name }) => name)).toEqual(['more'])
})

test('files that had arrived outlive a reload below what took their place, and foreign text is nothing', () => {
  const { replaced } = replacedBy(kept(MINE), FAILED, true)
  expect(replacedOfText(replacedAsText(replaced))).toEqual([
    { by: attached({ uploads: [done('failed')] }), before: attached({ uploads: [done('mine')] }), lent: [] },
  ])
  expect(replacedAsText([])).toBe('')
  for (const text of ['', '{', '[1]', '[{"by":1}]', 'null']) expect(replacedOfText(text)).toEqual([])
})

test('a picture that is still being read when its message is replaced goes to that message, or nowhere once it is gone', () => {
  const read = kept(attached({ reading: ['slow'] }))
  expect(losesSomeAttached(read.now, FAILED)).toBe(true)
  const again = finishedReading(replacedBy(read, FAILED, true), 'slow', [picture('slow')]).kept
  expect(again.now).toEqual(FAILED)
  expect(broughtBack(again).kept).toEqual(kept(attached({ images: [picture('slow')] })))
  const gone = finishedReading(replacedBy(read, FAILED, false), 'slow', [picture('slow')]).kept
  expect(gone).toEqual(kept(FAILED))
})

test('a picture that is being read while what was replaced comes back comes along', () => {
  const again = replacedBy(kept(MINE), FAILED, true)
  const reading = { ...again, now: appended(again.now, { reading: ['slow'] }).next }
  const back = finishedReading(broughtBack(reading).kept, 'slow', [picture('slow')]).kept
  expect(back.now).toEqual({ ...MINE, images: [picture('mine'), picture('slow')] })
})

test('an upload that a start is taken up with twice belongs to the later task, and returns with the earlier one', () => {
  const first = attached({ images: [picture('edited')], uploads: [done('failed')] })
  const again = replacedBy(kept(first), FAILED, true)
  expect(again.now.uploads).toEqual([done('failed')])
  expect(again.replaced[0]?.before.uploads).toEqual([])
  expect(broughtBack(again).kept).toEqual(kept(first))
  const removed = { ...again, now: { ...again.now, uploads: [] } }
  expect(broughtBack(removed).kept.now.uploads).toEqual([])
  const other = { ...again, replaced: replacedOfText(replacedAsText(again.replaced)) }
  expect(broughtBack(other).kept.now.uploads).toEqual([done('failed')])
})

test('an upload returns to the task it was lent by, also where others lie between', () => {
  const first = attached({ uploads: [done('failed')] })
  const second = replacedBy(replacedBy(kept(first), MINE, true), FAILED, true)
  expect(second.replaced.map(({ before }) => before.uploads)).toEqual([[], MINE.uploads])
  expect(broughtBack(second).kept.now).toEqual(MINE)
  expect(broughtBack(broughtBack(second).kept).kept).toEqual(kept(first))
})

test('what came to a message that is not wanted back goes to the one below it', () => {
  const other = attached({ uploads: [done('other')] })
  const came = appended(FAILED, { uploads: [done('more')] }).next
  const second = replacedBy({ ...replacedBy(kept(MINE), FAILED, true), now: came }, other, true)
  expect(broughtBack(withoutReplaced(second, 1)).kept).toEqual(
    kept({ ...MINE, uploads: [...MINE.uploads, done('more')] }),
  )
  expect(broughtBack(withoutReplaced(second, 0)).kept).toEqual(kept(came))
})
