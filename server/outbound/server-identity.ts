import { type ConnectionOptions, checkServerIdentity } from 'node:tls'

/**
 * How a certificate is checked over a connection that a proxy made: Node would check an address by the proxy's own name. It belongs to the
 * connection, not to the request, as newer versions of Node keep connections apart by this function.
 */
export function serverIdentity({
  servername,
  host,
}: ConnectionOptions): Pick<ConnectionOptions, 'checkServerIdentity'> {
  const name = servername || host || ''
  return { checkServerIdentity: (_name, certificate) => checkServerIdentity(name, certificate) }
}
