import type Docker from 'dockerode'
import { translateErrors } from './errors.ts'

const HEADER_BYTES = 8

/**
 * The last lines that a container without a terminal wrote, both outputs in the order in which they were written, at most so
 * many characters of them. The engine's own bound on the log is that on what is read.
 */
export async function containerLog(
  docker: Docker,
  id: string,
  { lines, maxCharacters }: { lines: number; maxCharacters: number },
): Promise<string> {
  const log = await translateErrors('Reading the log', () =>
    docker.getContainer(id).logs({ follow: false, stdout: true, stderr: true, tail: lines }),
  )
  return payloads(log).toString('utf8').slice(-maxCharacters)
}

/** Without the frames that `command/stream.ts` describes. */
function payloads(log: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + HEADER_BYTES <= log.length; ) {
    const end = at + HEADER_BYTES + log.readUInt32BE(at + 4)
    parts.push(log.subarray(at + HEADER_BYTES, end))
    at = end
  }
  return Buffer.concat(parts)
}
