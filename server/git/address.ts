/** As seen from a sandbox, where this machine has another name. */
export function addressInSandbox(url: URL): URL {
  const address = new URL(url)
  if (['localhost', '127.0.0.1', '[::1]'].includes(address.hostname)) address.hostname = 'host.docker.internal'
  return address
}
