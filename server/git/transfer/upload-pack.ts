import { FLUSH, pktLine } from './pkt-line.ts'
import type { RemoteRepository } from './remote-repository.ts'
import { DATA, ERROR } from './side-band.ts'

const LENGTH_DIGITS = 4

export interface Wanted {
  /** Objects that the remote has advertised, all named by the same digest: at least one. */
  wanted: readonly string[]
  /** Commits that are here with all that leads to them, but for what lies before those of `shallow`. */
  known: readonly string[]
  /** Commits whose parents are not here: where a shallow clone was cut off. The remote is asked for what lies before them. */
  shallow: readonly string[]
  /** How many commits of each history are taken; absent takes all. */
  depth?: number
}

export interface Pack {
  /** With what leads to `wanted` and to none of `known`; it may refer to objects of those (a thin pack). */
  bytes: AsyncGenerator<Buffer>
  /** What stays shallow once the pack is taken. */
  shallow: readonly string[]
}

/** As many commits as there are: the number that git itself asks for, INFINITE_DEPTH. */
const WHOLE_HISTORY = 0x7fffffff

/**
 * Asks as https://git-scm.com/docs/pack-protocol#_packfile_negotiation describes.
 * @throws AppError as `advertised`; git_refused with the remote's words, also while it is read
 */
export async function fetchPack(
  repository: RemoteRepository,
  { wanted, known, shallow, depth = shallow.length > 0 ? WHOLE_HISTORY : undefined }: Wanted,
): Promise<Pack> {
  const format = wanted[0]?.length === 64 ? ' object-format=sha256' : ''
  const capabilities = `side-band-64k thin-pack shallow ofs-delta no-progress${format} agent=atelier`
  const asked = Buffer.concat([
    ...wanted.map((name, index) => pktLine(index === 0 ? `want ${name} ${capabilities}\n` : `want ${name}\n`)),
    ...shallow.map(name => pktLine(`shallow ${name}\n`)),
    ...(depth === undefined ? [] : [pktLine(`deepen ${depth}\n`)]),
    FLUSH,
    ...known.map(name => pktLine(`have ${name}\n`)),
    pktLine('done\n'),
  ])
  const { body } = await repository.request(Uint8Array.from(asked))
  if (!body) throw repository.failed('did not answer as a git server does')
  const lines = linesOf(body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>, repository)
  const left = new Set(shallow)
  if (depth !== undefined) {
    for (let line = await lines.next(); line.value; line = await lines.next())
      changeShallow(left, line.value, repository)
  }
  return { bytes: packIn(lines, repository), shallow: [...left] }
}

/** One line of the part that answers `deepen`. */
function changeShallow(left: Set<string>, line: Buffer, repository: RemoteRepository): void {
  const [, kind, name = ''] =
    /^(shallow|unshallow) ([0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/.exec(line.toString('latin1')) ?? []
  if (kind === undefined) throw repository.refused(line)
  if (kind === 'shallow') left.add(name)
  else left.delete(name)
}

/** Before the pack the server says whether it knows one of the names. */
async function* packIn(lines: AsyncIterable<Buffer | null>, repository: RemoteRepository): AsyncGenerator<Buffer> {
  let answered = false
  for await (const line of lines) {
    if (line === null) break
    if (!answered) {
      if (!/^(?:NAK|ACK [0-9a-f]+)\n?$/.test(line.toString('latin1'))) throw repository.refused(line)
      answered = true
    } else if (line[0] === DATA) yield line.subarray(1)
    else if (line[0] === ERROR) throw repository.refused(line.subarray(1))
  }
  if (!answered) throw repository.failed('did not answer as a git server does')
}

/** The lines of an answer as they come; null stands for a flush. */
async function* linesOf(body: AsyncIterable<Uint8Array>, repository: RemoteRepository): AsyncGenerator<Buffer | null> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of repository.received(body)) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= LENGTH_DIGITS) {
      const digits = rest.toString('latin1', 0, LENGTH_DIGITS)
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
      if (length !== 0 && length < LENGTH_DIGITS) throw repository.failed('did not answer as a git server does')
      const end = Math.max(length, LENGTH_DIGITS)
      if (rest.length < end) break
      yield length === 0 ? null : rest.subarray(LENGTH_DIGITS, end)
      rest = rest.subarray(end)
    }
  }
  throw repository.failed('broke off')
}
