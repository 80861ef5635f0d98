import type { BrowserWindow, DownloadItem, WebContents } from 'electron'
import { getFileContent } from '../../server/api/v1/sandbox/files.ts'
import { CHANNELS, type Connection, type DownloadRequest, type DownloadState } from '../ipc.ts'

/** What is there sooner needs no words on the way. */
const SAID_AFTER_MS = 1_000
const AGAIN_MS = 1_000

/** Files and folders of sandboxes on their way to the disk of a person, who says where. Nothing of them is in a page. */
export class Downloads {
  /** How many of each address. */
  readonly #expected = new Map<string, number>()
  readonly #running = new Map<number, DownloadItem>()
  #lastId = 0

  start({ url, key }: Connection, owner: BrowserWindow, request: DownloadRequest): void {
    const address = contentAddress(url, request)
    this.#expected.set(address, (this.#expected.get(address) ?? 0) + 1)
    owner.webContents.downloadURL(address, { headers: { 'X-Session-API-Key': key } })
  }

  /** Ends one and removes what came of it; an id that is not known changes nothing. */
  cancel(id: number): void {
    this.#running.get(id)?.cancel()
  }

  /** @returns whether it is one that was started here, which is then said to its window */
  take(item: DownloadItem, contents: WebContents): boolean {
    const address = item.getURL()
    const expected = this.#expected.get(address) ?? 0
    if (expected === 0) return false
    if (expected === 1) this.#expected.delete(address)
    else this.#expected.set(address, expected - 1)
    const id = ++this.#lastId
    this.#running.set(id, item)
    const began = Date.now()
    let said = 0
    const say = (state: DownloadState['state']): void => {
      said = Date.now()
      const bytes = { receivedBytes: item.getReceivedBytes(), totalBytes: item.getTotalBytes() || null }
      const news: DownloadState = { id, name: item.getFilename(), ...bytes, state }
      if (!contents.isDestroyed()) contents.send(CHANNELS.downloadChanged, news)
    }
    let isBroken = false
    item.on('updated', (_event, state) => {
      if (state === 'interrupted') {
        isBroken = true
        item.cancel()
      } else if (item.getSavePath() !== '' && Date.now() - began > SAID_AFTER_MS && Date.now() - said > AGAIN_MS)
        say('progressing')
    })
    item.once('done', (_event, state) => {
      this.#running.delete(id)
      say(isBroken || state === 'interrupted' ? 'failed' : state)
    })
    return true
  }
}

/** Of the bytes of a file, or of a folder as an archive. */
function contentAddress(url: string, { conversation, path }: DownloadRequest): string {
  const place = getFileContent.path.replace('{conversation_id}', encodeURIComponent(conversation))
  // As Chromium writes addresses: it says them in its own way.
  return new URL(`${url}${place}?${new URLSearchParams({ path })}`).href
}
