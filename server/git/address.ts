import { hostInSandbox } from '../outbound/address.ts'

/** As seen from a sandbox, where this machine has another name. */
export function addressInSandbox(url: URL): URL {
  const address = new URL(url)
  address.hostname = hostInSandbox(address.hostname)
  return address
}
