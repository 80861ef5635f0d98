/**
 * Whether a host, as a URL or a certificate's request has it, means the machine that names it. Names below `localhost` do too:
 * RFC 6761, section 6.3. What lies in a sandbox and says so means the sandbox.
 */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|::1?)$/i.test(host)
}
