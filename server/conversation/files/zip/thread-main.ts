import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import ZipStream from 'zip-stream'
import type { FromZipThread, ToZipThread } from './messages.ts'

const MAX_PIECES = 1000

/** The thread in which one archive is packed. */
const archive = new ZipStream()
let entry = { pieces: new PassThrough(), packed: Promise.resolve() }
/** What waits to be asked for, the newest of it in pieces. */
let blocks: Buffer[] = []
let pieces: Buffer[] = []
let waitingBytes = 0
let isWhole = false
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
    const stream = new PassThrough()
    entry = { pieces: stream, packed: pack(stream, name, modifiedAt) }
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

/** The archive writes field by field: a list of its entries is millions of pieces, and each would take memory of its own. */
function keep(piece: Buffer): void {
  pieces.push(piece)
  waitingBytes += piece.length
  if (pieces.length === MAX_PIECES) join()
  give()
}

function join(): void {
  blocks.push(Buffer.concat(pieces))
  pieces = []
}

function give(): void {
  if (!isMoreWanted) return
  if (waitingBytes > 0) {
    join()
    send({ kind: 'bytes', bytes: Buffer.concat(blocks) })
    blocks = []
    waitingBytes = 0
    given()
  } else if (isWhole) {
    send({ kind: 'end' })
  } else {
    return
  }
  isMoreWanted = false
}

/** The archive itself takes entries however many bytes wait to be read. */
async function waitForDrain(): Promise<void> {
  while (waitingBytes >= archive.readableHighWaterMark) {
    await new Promise<void>(resolve => {
      given = resolve
    })
  }
}

archive.on('data', keep)
archive.on('end', () => {
  isWhole = true
  give()
})
archive.on('error', fail)
let lastTaken = Promise.resolve()
parentPort?.on('message', (message: ToZipThread) => {
  if (message.kind === 'more') {
    isMoreWanted = true
    give()
  } else {
    lastTaken = lastTaken.then(() => take(message)).then(waitForDrain)
    lastTaken.then(() => send({ kind: 'ready' }), fail)
  }
})
