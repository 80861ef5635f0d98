import { AppError } from '../../domain/errors.ts'
import { endOfOutput } from '../said.ts'
import { FLUSH, pktLine } from './pkt-line.ts'
import type { RemoteRepository } from './remote-repository.ts'
import { DATA, ERROR } from './side-band.ts'

const LENGTH_DIGITS = 4

/**
 * The pack with what leads to `wanted` and to none of `known`; it may refer to objects of those (a thin pack).
 * @throws AppError as `advertised`; git_refused with the remote's words, also while it is read
 */
export async function fetchPack(
  repository: RemoteRepository,
  { wanted, known }: { wanted: string; known: readonly string[] },
): Promise<AsyncGenerator<Buffer>> {
  const asked = Buffer.concat([
    pktLine(`want ${wanted} side-band-64k thin-pack ofs-delta no-progress agent=atelier\n`),
    FLUSH,
    ...known.map(name => pktLine(`have ${name}\n`)),
    pktLine('done\n'),
  ])
  const { body } = await repository.request(Uint8Array.from(asked))
  if (!body) throw repository.failed('did not answer as a git server does')
  return packIn(linesOf(body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>, repository), repository)
}

/** Before the pack the server says whether it knows one of the names. */
async function* packIn(lines: AsyncIterable<Buffer>, repository: RemoteRepository): AsyncGenerator<Buffer> {
  let answered = false
  for await (const line of lines) {
    if (!answered) {
      if (!/^(?:NAK|ACK [0-9a-f]+)\n?$/.test(line.toString('latin1'))) throw refused(repository, line)
      answered = true
    } else if (line[0] === DATA) yield line.subarray(1)
    else if (line[0] === ERROR) throw refused(repository, line.subarray(1))
  }
  if (!answered) throw repository.failed('did not answer as a git server does')
}

/** The lines of an answer as they come, to its first flush. */
async function* linesOf(body: AsyncIterable<Uint8Array>, repository: RemoteRepository): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= LENGTH_DIGITS) {
      const digits = rest.toString('latin1', 0, LENGTH_DIGITS)
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
      if (length === 0) return
      if (length < LENGTH_DIGITS) throw repository.failed('did not answer as a git server does')
      if (rest.length < length) break
      yield rest.subarray(LENGTH_DIGITS, length)
      rest = rest.subarray(length)
    }
  }
  throw repository.failed('broke off')
}

function refused(repository: RemoteRepository, line: Buffer): AppError {
  const said = endOfOutput(line.toString().replace(/^ERR /, ''))
  return new AppError('git_refused', `${repository.host} refused to give the commits. It said: ${said}`)
}
