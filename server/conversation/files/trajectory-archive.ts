import type { Readable } from 'node:stream'
import type { Event } from '../../api/event/events.ts'
import { Slices } from '../../async/slices.ts'
import { type ZipEntry, zipStream } from './zip/zip.ts'

const PAGE = 200

/** A page of the log from a sequence number on; empty at its end. */
export type ReadEvents = (fromSeq: number, limit: number) => Event[]

/**
 * A conversation as a ZIP archive, read from the log a page at a time: `meta.json`, then a file for each event, in their
 * order. What is written meanwhile is in it too. Secrets were hidden before the events were stored.
 */
export function trajectoryArchive(meta: object, modifiedAt: Date, read: ReadEvents): Readable {
  return zipStream(entries(meta, modifiedAt, read))
}

async function* entries(meta: object, modifiedAt: Date, read: ReadEvents): AsyncGenerator<ZipEntry> {
  yield { name: 'meta.json', modifiedAt, content: text(meta) }
  const slices = new Slices()
  for (let from = 0; ; ) {
    const events = read(from, PAGE)
    for (const event of events) {
      if (slices.due()) await slices.turn()
      const name = `event_${String(event.seq).padStart(6, '0')}_${event.id}.json`
      yield { name, modifiedAt: new Date(event.timestamp), content: text(event) }
    }
    if (events.length < PAGE) return
    from += PAGE
  }
}

function text(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
