import type { SandboxPort } from '../../../server/api/v1/sandbox/ports.ts'

/** Linux gives these to whoever asks for any port, as debuggers, language servers and test runners do. */
const ANY_PORT = { first: 32_768, last: 60_999 }

/** A port with its program: another program there is another thing. */
export function portKey({ port, program }: SandboxPort): string {
  return `${port} ${program ?? ''}`
}

/**
 * What is worth a notice: programs of the sandbox that were not known to listen. What runs beside it, such as a service of
 * a compose file, has no program there.
 * @param known keys of all that has listened before
 */
export function newPorts(known: ReadonlySet<string>, ports: readonly SandboxPort[]): SandboxPort[] {
  return ports.filter(each => each.program !== null && !isAnyPort(each.port) && !known.has(portKey(each)))
}

function isAnyPort(port: number): boolean {
  return port >= ANY_PORT.first && port <= ANY_PORT.last
}
