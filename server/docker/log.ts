import type Docker from 'dockerode'
import { engineError, statusOf, translateErrors } from './errors.ts'

const HEADER_BYTES = 8
/** The log of a container that was made without one cannot be read: Docker says so with the first, Podman with the second. */
const NO_LOG = [501, 500]

/**
 * The last lines that a container without a terminal wrote, both outputs in the order in which they were written, at most so
 * many characters of them; null where no log is kept of it. The engine's own bound on the log is that on what is read.
 */
export async function containerLog(
  docker: Docker,
  id: string,
  { lines, maxCharacters }: { lines: number; maxCharacters: number },
): Promise<string | null> {
  const container = docker.getContainer(id)
  try {
    const log = await container.logs({ follow: false, stdout: true, stderr: true, tail: lines })
    return payloads(log).toString('utf8').slice(-maxCharacters)
  } catch (error) {
    if (NO_LOG.includes(statusOf(error) ?? 0) && !(await keepsLog(container))) return null
    throw engineError('Reading the log', error)
  }
}

async function keepsLog(container: Docker.Container): Promise<boolean> {
  const { HostConfig } = await translateErrors('Reading the log', () => container.inspect())
  return HostConfig.LogConfig?.Type !== 'none'
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
