import type { AgentOptions, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { HttpsProxyAgent } from 'https-proxy-agent'

type Options = Parameters<HttpsProxyAgent<string>['connect']>[1] & {
  /** Of the request that wants the connection. */
  givenUp?: AbortSignal
}

/** Connections that a proxy makes to servers. One that it never makes is closed when nobody waits for it any more. */
export class Tunnel extends HttpsProxyAgent<string> {
  constructor(proxy: string, options: AgentOptions) {
    super(proxy, options)
    // The library forgets how long a connection may idle, and Node asks here.
    Object.assign(this.options, { timeout: options.timeout })
  }

  override async connect(request: ClientRequest, options: Options): Promise<Socket> {
    const waiting = new AbortController()
    const stop = () => waiting.abort()
    if (options.givenUp?.aborted) stop()
    options.givenUp?.addEventListener('abort', stop, { once: true })
    try {
      const given = { ...this.connectOpts, signal: waiting.signal }
      const one = new HttpsProxyAgent(this.proxy, given)
      return await one.connect(request, options)
    } finally {
      options.givenUp?.removeEventListener('abort', stop)
    }
  }
}
