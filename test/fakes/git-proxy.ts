import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GitServer } from '../parts/git-server.ts'

/** Passes on what is asked of `git`; `hand` answers with the objects in a way of its own, and `moved` names another address. */
export async function startGitProxy(
  git: GitServer,
  hand?: (answer: IncomingMessage, reply: ServerResponse) => void,
  moved: (request: IncomingMessage) => string = ({ url = '' }) => url,
): Promise<Pick<GitServer, 'url' | 'port'> & Pick<Server, 'close'>> {
  const server = createServer((request, reply) => {
    const location = moved(request)
    if (location !== request.url) return void reply.writeHead(301, { location }).end()
    const { method, headers, url = '' } = request
    const asked = forward({ port: git.port, host: '127.0.0.1', method, headers, path: url }, answer => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      if (hand && url.endsWith('/git-upload-pack')) hand(answer, reply)
      else answer.pipe(reply)
    })
    request.pipe(asked)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return server.close()
  }
  return { port, url: name => `http://localhost:${port}/${name}.git`, close }
}
