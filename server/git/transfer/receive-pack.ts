import { Readable } from 'node:stream'
import { AppError } from '../../domain/errors.ts'
import { endOfOutput } from '../said.ts'
import { FLUSH, pktLine } from './pkt-line.ts'
import { type Advertised, type RemoteRepository, wholeOf } from './remote-repository.ts'
import { DATA, MESSAGE } from './side-band.ts'

export interface RefUpdate {
  /** `refs/heads/…`. */
  ref: string
  /** What the remote has there; null for a ref that is new. */
  from: string | null
  to: string
}

/** As git itself says it; the remote says no more than yes and no without it. */
const WANTED = ['report-status', 'side-band-64k', 'ofs-delta'] as const
/** What is sent with its length, because not everything between here and a server takes a body without one. */
const BUFFERED_BYTES = 2 ** 20

/**
 * Moves one ref, with the objects that the remote has not.
 * @param pack is read to its end; a failure of it breaks the request off, which changes nothing at the remote
 * @throws AppError as `advertised`; git_refused with the remote's words
 */
export async function updateRef(
  repository: RemoteRepository,
  { ref, from, to }: RefUpdate,
  { capabilities }: Advertised,
  pack: AsyncIterable<Buffer>,
): Promise<void> {
  const asked = WANTED.filter(name => capabilities.has(name)).join(' ')
  const format = to.length === 64 ? ' object-format=sha256' : ''
  const command = pktLine(`${from ?? '0'.repeat(to.length)} ${to} ${ref}\0 ${asked}${format} agent=atelier`)
  const body = await bodyOf(Buffer.concat([command, FLUSH]), pack)
  const answer = await wholeOf(await repository.request(body))
  check(repository, ref, capabilities.has('side-band-64k') ? apart(repository, answer) : { report: answer, said: '' })
}

/** What the server reports, and what it has printed for the person. */
function apart(repository: RemoteRepository, answer: Buffer): { report: Buffer; said: string } {
  const parts = [...repository.lines(answer)].filter(line => line !== null)
  const on = (band: number) => Buffer.concat(parts.filter(([first]) => first === band).map(part => part.subarray(1)))
  const [report, message] = [on(DATA), on(MESSAGE)]
  return { report, said: endOfOutput(message.toString()) }
}

function check(repository: RemoteRepository, ref: string, { report, said }: { report: Buffer; said: string }): void {
  const branch = ref.replace('refs/heads/', '')
  const also = said && ` It said: ${said}`
  const lines = [...repository.lines(report)].map(line => line?.toString().trimEnd() ?? '')
  const refused = lines.find(line => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length)
  const unpacked = lines.find(line => line.startsWith('unpack '))?.slice('unpack '.length)
  const reason = unpacked && unpacked !== 'ok' ? unpacked : refused
  if (reason !== undefined) {
    const what = `${repository.host} refused the push to ${branch}: ${reason}.${also}`
    throw new AppError('git_refused', `${what} Put that right, or push under another branch.`)
  }
  if (!lines.includes(`ok ${ref}`)) throw repository.failed(`did not say whether ${branch} was pushed.${also}`)
}

async function bodyOf(head: Buffer, pack: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  const rest = pack[Symbol.asyncIterator]()
  const begun = [head]
  let bytes = head.length
  while (bytes <= BUFFERED_BYTES) {
    const { done, value } = await rest.next()
    if (done) return Uint8Array.from(Buffer.concat(begun))
    begun.push(value)
    bytes += value.length
  }
  async function* whole() {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return Readable.toWeb(Readable.from(whole())) as ReadableStream
}
