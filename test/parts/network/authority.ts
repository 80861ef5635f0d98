import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Authority {
  /** A file beside its own. */
  file(name: string): string
  /** Of a server that it has issued a certificate for. */
  key: Buffer
  cert: Buffer
  remove(): void
}

/**
 * An authority of a company's own, whose certificate is `ca.pem`.
 * @param names of the server, as OpenSSL writes them: `IP:127.0.0.1,DNS:example.com`
 */
export function makeAuthority(names: string, { days = 30 } = {}): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-authority-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Company')
  openssl('req', ...key, '-keyout', file('key.pem'), '-out', file('request.pem'), '-subj', '/CN=server')
  writeFileSync(file('names'), `subjectAltName=${names}`)
  const issued = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('names')]
  const dates = ['-days', String(days)]
  openssl('x509', '-req', '-in', file('request.pem'), ...issued, ...dates, '-out', file('certificate.pem'))
  return {
    file,
    key: readFileSync(file('key.pem')),
    cert: readFileSync(file('certificate.pem')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
