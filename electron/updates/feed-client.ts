import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import { outboundErrorIn } from '../../server/outbound/problem.ts'
import type { FindProxy } from '../../server/outbound/proxies.ts'
import type { UpdateFeed } from './config.ts'
import { UpdateError } from './problem.ts'
import type { ReleaseFile, SignedText } from './release.ts'

const MAX_REDIRECTS = 3

export interface PackageDownload {
  signal: AbortSignal
  onProgress: (receivedBytes: number) => void
}

/**
 * Asks the feed, and nobody else. A request says which file is wanted, and nothing of who wants it. It does not go through
 * Chromium, which may look up no names here (`app.ts`).
 */
export class FeedClient {
  readonly #url: URL
  readonly #outbound: Outbound
  readonly #fetchText: typeof globalThis.fetch
  readonly #fetchPackage: typeof globalThis.fetch

  constructor({ url }: UpdateFeed, findProxy: FindProxy) {
    this.#url = url
    this.#outbound = new Outbound({ allowedHosts: () => [], findProxy })
    // Who built the package named the feed; where that redirects to, nobody has chosen.
    const namedBy = ({ origin }: URL) => (origin === url.origin ? 'person' : 'other')
    this.#fetchText = this.#outbound.fetch({ namedBy, limits: ANSWER_LIMITS.updateDescription })
    this.#fetchPackage = this.#outbound.fetch({ namedBy, limits: ANSWER_LIMITS.updatePackage })
  }

  addressOf(name: string): string {
    return new URL(name, this.#url).href
  }

  /** A description and its signature, unchecked. @throws UpdateError unreachable, or the signal's reason */
  async read(name: string, signal: AbortSignal): Promise<SignedText> {
    const text = async (file: string) => (await this.#get(file, this.#fetchText, signal)).text()
    try {
      const [description, signature] = await Promise.all([text(name), text(`${name}.sig`)])
      return { name, text: description, signature }
    } catch (error) {
      throw failureOf(error, 'unreachable', signal)
    }
  }

  /**
   * Writes a package into a file.
   * @throws UpdateError unreachable, cut_off, wrong_file for another size or hash; errors of the disk; the signal's reason
   */
  async download(file: ReleaseFile, target: string, { signal, onProgress }: PackageDownload): Promise<void> {
    const response = await this.#get(file.url, this.#fetchPackage, signal).catch(error => {
      throw failureOf(error, 'unreachable', signal)
    })
    const hash = createHash('sha512')
    let received = 0
    const measured = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        received += chunk.length
        if (received > file.size) throw wrongFile(file, `is larger than ${file.size} bytes`)
        hash.update(chunk)
        onProgress(received)
        yield chunk
      }
    }
    const body = Readable.fromWeb((response.body ?? new ReadableStream()) as WebStream)
    try {
      await pipeline(body, measured, createWriteStream(target, { mode: 0o600 }), { signal })
    } catch (error) {
      throw failureOf(error, 'cut_off', signal)
    }
    if (received < file.size) throw new UpdateError('cut_off', `${received} of ${file.size} bytes came.`)
    if (hash.digest('base64') !== file.sha512) throw wrongFile(file, 'has another SHA-512')
  }

  close(): void {
    this.#outbound.close()
  }

  async #get(name: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Response> {
    let url = new URL(name, this.#url)
    for (let hops = 0; ; hops++) {
      const response = await fetch(url, { redirect: 'manual', signal })
      if (response.status === 200) return response
      await response.body?.cancel()
      const location = response.headers.get('location')
      const next = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
      const mayFollow = next?.protocol === 'https:' || next?.origin === this.#url.origin
      if (!next || !mayFollow || hops === MAX_REDIRECTS) {
        throw new UpdateError('unreachable', `${url.host} answered ${name} with status ${response.status}.`)
      }
      url = next
    }
  }
}

function failureOf(error: unknown, code: 'unreachable' | 'cut_off', signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const known = outboundErrorIn(error)
  return known ? new UpdateError(code, known.message, known) : error
}

function wrongFile({ url }: ReleaseFile, how: string): UpdateError {
  return new UpdateError('wrong_file', `${url} ${how}, which is not what the feed says.`)
}
