import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import ZipStream from 'zip-stream'
import type { FromZipThread, ToZipThread } from './messages.ts'

/** The thread in which one archive is packed. */
const archive = new ZipStream()
let entry = { pieces: new PassThrough(), packed: Promise.resolve() }
let isMoreWanted = false
/** Resolves when bytes were given away. */
let given = () => {}

const send = (message: FromZipThread) => parentPort?.postMessage(message)

function fail(error: Error): void {
  send({ kind: 'failed', message: error.message })
}

function pack(content: Buffer | PassThrough, name: string, date: Date): Promise<void> {
  return new Promise((resolve, reject) =>
    archive.entry(content, { name, date }, error => (error ? reject(error) : resolve())),
  )
}

async function take(message: Exclude<ToZipThread, { kind: 'more' }>): Promise<void> {
  if (message.kind === 'entry') {
    const { name, modifiedAt, content } = message
    if (content) return pack(Buffer.from(content), name, modifiedAt)
    const pieces = new PassThrough()
    entry = { pieces, packed: pack(pieces, name, modifiedAt) }
    entry.packed.catch(fail)
  } else if (message.kind === 'piece') {
    if (!entry.pieces.write(message.content)) await once(entry.pieces, 'drain')
  } else if (message.kind === 'entry-end') {
    entry.pieces.end()
    await entry.packed
  } else {
    archive.finish()
  }
}

function acknowledge(): void {
  if (!isMoreWanted) return
  const bytes: Buffer | null = archive.read()
  if (bytes === null) return
  isMoreWanted = false
  send({ kind: 'bytes', bytes })
  given()
}

/** The archive itself takes entries however many bytes wait to be read. */
async function waitForDrain(): Promise<void> {
  while (archive.readableLength >= archive.readableHighWaterMark) {
    await new Promise<void>(resolve => {
      given = resolve
    })
  }
}

archive.on('readable', acknowledge)
archive.on('end', () => send({ kind: 'end' }))
archive.on('error', fail)
let lastTaken = Promise.resolve()
parentPort?.on('message', (message: ToZipThread) => {
  if (message.kind === 'more') {
    isMoreWanted = true
    acknowledge()
  } else {
    lastTaken = lastTaken.then(() => take(message)).then(waitForDrain)
    lastTaken.then(() => send({ kind: 'ready' }), fail)
  }
})
