import { type AgentOptions, type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { type SecureContext, connect as startTls, type TLSSocket } from 'node:tls'
import { Agent, type AgentConnectOpts } from 'agent-base'
import { BOUNDS } from '../domain/bounds.ts'
import { ConnectError } from './problem.ts'
import { proxyCredentials, proxyServer } from './proxy-server.ts'
import { serverIdentity } from './server-identity.ts'

type Options = AgentConnectOpts & {
  /** Of the request that wants the connection. */
  givenUp?: AbortSignal
}

/**
 * Connections that a proxy makes to servers. One that it has not made is closed when nobody waits for it any more, and when the
 * agent is destroyed.
 */
export class Tunnel extends Agent {
  readonly #proxy: URL
  readonly #trust: SecureContext | undefined
  readonly #underWay = new Set<ClientRequest>()

  /** @param trust for a proxy that is spoken to with TLS */
  constructor(proxy: URL, trust: SecureContext | undefined, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#trust = trust
  }

  /** @throws ConnectError when the proxy does not make the connection */
  override async connect(_request: ClientRequest, options: Options): Promise<Socket> {
    const socket = await this.#connectTo(authorityOf(options), options.givenUp)
    return options.secureEndpoint ? encrypted(socket, options) : socket
  }

  override destroy(): void {
    for (const request of this.#underWay) request.destroy()
    super.destroy()
  }

  /** https://www.rfc-editor.org/rfc/rfc9110#name-connect */
  #connectTo(authority: string, signal: AbortSignal | undefined): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const request = (this.#proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
        ...proxyServer(this.#proxy, this.#trust),
        method: 'CONNECT',
        path: authority,
        headers: { host: authority, connection: 'keep-alive', ...proxyCredentials(this.#proxy) },
        maxHeaderSize: BOUNDS.answerHeaders.limit,
        agent: false,
        ...(signal && { signal }),
      })
      this.#underWay.add(request)
      request.once('close', () => this.#underWay.delete(request))
      request.once('connect', ({ statusCode: status = 0 }, socket, head) => {
        if (status >= 200 && status < 300) {
          if (head.length > 0) socket.unshift(head)
          resolve(socket)
          return
        }
        socket.destroy()
        reject(new ConnectError({ status }))
      })
      request.on('error', cause => reject(new ConnectError({ cause })))
      request.end()
    })
  }
}

function authorityOf({ host = '', port }: Options): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

function encrypted(socket: Socket, options: Extract<Options, { secureEndpoint: true }>): TLSSocket {
  const { servername, secureContext } = options
  return startTls({
    socket,
    ...(servername !== undefined && { servername }),
    ...(secureContext && { secureContext }),
    ...serverIdentity(options),
  })
}
