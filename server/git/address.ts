import { hostInSandbox } from '../outbound/address.ts'

/** As seen from a sandbox, where this machine has another name. */
export function addressInSandbox(url: URL): URL {
  const address = new URL(url)
  address.hostname = hostInSandbox(address.hostname)
  return address
}

/** As seen from this machine, without a slash at its end. @param url as `addressInSandbox` writes it */
export function addressOnHost(url: URL): string {
  const address = new URL(url)
  if (address.hostname === hostInSandbox('localhost')) address.hostname = 'localhost'
  return address.href.replace(/\/+$/, '')
}
