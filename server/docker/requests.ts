import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import type Docker from 'dockerode'
import { AppError } from '../domain/errors.ts'

/** What Node calls for each request of an agent; public in effect, absent from the types. */
interface RequestQueue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void
  [inspect.custom]?: () => string
}

/**
 * An agent for requests to the engine whose redirects are never followed. The engine answers 301 to a path that is not
 * in its plain form; docker-modem would ask the address in it over TCP, which may be any, and without an error handler.
 */
export function engineAgent<T extends Agent>(agent: T): T {
  const queue = agent as unknown as RequestQueue
  const addRequest = queue.addRequest.bind(agent)
  queue.addRequest = (request, ...rest) => {
    request.prependListener('response', hideRedirect)
    addRequest(request, ...rest)
  }
  // docker-modem prints the options of each request for its debug log, with all sockets of the agent.
  queue[inspect.custom] = () => '[Agent]'
  return agent
}

/** Without a location the answer is what it says: a status that the caller did not expect. */
function hideRedirect(response: IncomingMessage): void {
  delete response.headers.location
}

/**
 * Refuses every request whose path is not in its plain form, whatever it was made of: names and ids stand unescaped in
 * the paths that dockerode writes. @throws AppError bad_request, as the rejection of the call
 */
export function checkPaths(docker: Docker): void {
  const { modem } = docker as unknown as { modem: Pick<Modem, 'dial'> }
  const dial = modem.dial.bind(modem)
  modem.dial = (options, callback) => {
    if (isPlainPath(options.path)) return dial(options, callback)
    const message = 'The engine was not asked: a name holds characters that no image, container or command can have.'
    callback(new AppError('bad_request', message), null)
  }
}

interface Modem {
  dial(options: { path: string }, callback: (error: Error | null, result: unknown) => void): void
}

/** Only characters that need no escape, and no empty, `.` or `..` part. The query is written by docker-modem itself. */
function isPlainPath(path: string): boolean {
  const [plain = ''] = path.split('?', 1)
  return /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._:@+[\]-]+)+$/.test(plain)
}
