import { afterEach, expect, test, vi } from 'vitest'
import type { PdfRequest } from '../../../renderer/pages/conversation/panel/file/pdf/messages.ts'
import { PdfReader } from '../../../renderer/pages/conversation/panel/file/pdf/reader.ts'

afterEach(() => vi.unstubAllGlobals())

/** The window's workers, which answer when they are told to. */
class HeldWorker extends EventTarget {
  static last: HeldWorker
  readonly asked: PdfRequest[] = []

  constructor() {
    super()
    HeldWorker.last = this
  }

  postMessage(request: PdfRequest): void {
    this.asked.push(request)
  }

  answer(value: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: { kind: 'reply', value } }))
  }

  terminate(): void {}
}

const picture = () => ({ picture: { close: vi.fn() }, size: { width: 1, height: 1 } })

test('a picture that comes when nobody waits for it any more is closed, and one that is waited for is not', async () => {
  vi.stubGlobal('Worker', HeldWorker)
  const reader = new PdfReader(new Blob(['%PDF']))
  const opened = reader.open()
  await expect.poll(() => HeldWorker.last?.asked).toHaveLength(1)
  HeldWorker.last.answer({ pages: 1, first: { width: 1, height: 1 } })
  await opened

  const given = new AbortController()
  const late = reader.draw(1, 100, given.signal)
  await expect.poll(() => HeldWorker.last.asked).toHaveLength(2)
  given.abort(new Error('resized'))
  await expect(late).rejects.toThrow('resized')
  const unseen = picture()
  HeldWorker.last.answer(unseen)
  await expect.poll(() => unseen.picture.close).toHaveBeenCalledOnce()

  const wanted = reader.draw(1, 200, new AbortController().signal)
  await expect.poll(() => HeldWorker.last.asked).toHaveLength(3)
  const seen = picture()
  HeldWorker.last.answer(seen)
  expect(await wanted).toBe(seen)
  expect(seen.picture.close).not.toHaveBeenCalled()
  reader.close()
})
