import type { AgentOptions, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { AgentConnectOpts } from 'agent-base'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { literalIn } from './address.ts'
import { serverIdentity } from './server-identity.ts'

/** Connections that a proxy of SOCKS makes to servers. */
export class Socks extends SocksProxyAgent {
  constructor(proxy: URL, options: AgentOptions) {
    super(proxy, options)
    // The library's own time limit would go on to hold for what is sent and answered later; without one it connects within 30 seconds.
    this.timeout = null
    // In place: the credentials are properties that a copy would not have.
    this.proxy.host = literalIn(proxy.hostname) ?? proxy.hostname
  }

  override connect(request: ClientRequest, options: AgentConnectOpts): Promise<Socket> {
    return super.connect(request, options.secureEndpoint ? { ...options, ...serverIdentity(options) } : options)
  }
}
