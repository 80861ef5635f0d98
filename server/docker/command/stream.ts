import { PassThrough, type Readable } from 'node:stream'

const HEADER_BYTES = 8
const STDERR = 2

export interface OutputStreams {
  stdout: Readable
  stderr: Readable
}

/**
 * The output of a process, from the engine's stream. Without a TTY both outputs share it in frames of an 8-byte header
 * (1 stdout, 2 stderr; three zeros; length, big endian) and a payload; with one the bytes are the terminal's own.
 * Both sides must be read: a full one holds the other back, as the pipes of a real process would.
 * https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerAttach
 */
export function outputOf(source: Readable, tty: boolean, onChunk: () => void = () => {}): OutputStreams {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const pump = tty ? copy(source, onChunk, stdout) : demultiplex(source, onChunk, stdout, stderr)
  // A broken connection ends the output; whether the process ended is the exit code's business.
  pump
    .catch(() => {})
    .finally(() => {
      stdout.end()
      stderr.end()
    })
  return { stdout, stderr }
}

async function copy(source: Readable, onChunk: () => void, stdout: PassThrough): Promise<void> {
  for await (const chunk of source) {
    onChunk()
    await put(stdout, chunk)
  }
}

async function demultiplex(
  source: Readable,
  onChunk: () => void,
  stdout: PassThrough,
  stderr: PassThrough,
): Promise<void> {
  let header: Buffer = Buffer.alloc(0)
  let target = stdout
  let missing = 0
  for await (const chunk of source) {
    onChunk()
    let rest: Buffer = chunk
    while (rest.length > 0) {
      if (missing > 0) {
        const piece = rest.subarray(0, missing)
        rest = rest.subarray(piece.length)
        missing -= piece.length
        await put(target, piece, target === stdout ? stderr : stdout)
        continue
      }
      const needed = HEADER_BYTES - header.length
      header = Buffer.concat([header, rest.subarray(0, needed)])
      rest = rest.subarray(needed)
      if (header.length < HEADER_BYTES) continue
      target = header[0] === STDERR ? stderr : stdout
      missing = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  }
}

/**
 * Waits for room, but not for a reader that went away. Nor does what nobody reads yet hold up the `other` side while that
 * is read: the frames of the two come in any order, and the first words of one may tell how to read the other.
 */
export async function put(target: PassThrough, chunk: Buffer, other?: PassThrough): Promise<void> {
  if (target.destroyed || target.write(chunk)) return
  if (other && !isRead(target) && isRead(other)) return
  await new Promise<void>(resolve => {
    const done = () => {
      target.off('drain', done)
      target.off('close', done)
      other?.off('newListener', onListener)
      resolve()
    }
    const onListener = (event: string) => {
      if ((event === 'readable' || event === 'data') && !isRead(target)) done()
    }
    target.on('drain', done)
    target.on('close', done)
    other?.on('newListener', onListener)
  })
}

function isRead(side: PassThrough): boolean {
  return side.readableFlowing !== null || side.listenerCount('readable') > 0
}

/** The whole is read, and the rest left out: the text ends with the first part that goes beyond the limit. */
export async function beginningOf(stream: Readable, maxCharacters = 65_536): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    if (text.length < maxCharacters) text += chunk
  }
  return text
}
