import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'

export interface TlsEngine {
  /** `tcp://…`, as in DOCKER_HOST. */
  host: string
  /** With the keys of a client that it lets in. */
  certificates: string
  /** With keys that nobody has signed. */
  strangers: string
  close(): void
}

/** An engine of this machine behind a port that speaks TLS, to clients with a certificate of its own authority alone. */
export async function startTlsEngine(behind = process.env.DOCKER_HOST ?? ''): Promise<TlsEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-tls-engine-'))
  const ours = makeKeys(join(folder, 'ours'))
  const strangers = makeKeys(join(folder, 'strangers'))
  const read = (name: string) => readFileSync(join(ours, name))
  const keys = { key: read('key.pem'), cert: read('cert.pem'), ca: read('ca.pem') }
  const server = createServer({ ...keys, requestCert: true, allowHalfOpen: true }, socket => {
    const engine = createConnection({
      path: behind.slice('unix://'.length),
      allowHalfOpen: true,
    })
    socket.on('error', () => engine.destroy()).pipe(engine)
    engine.on('error', () => socket.destroy()).pipe(socket)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificates: ours,
    strangers,
    close: () => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A folder with ca.pem, and a cert.pem and key.pem that this authority has signed, for either end. */
function makeKeys(folder: string): string {
  execFileSync('mkdir', [folder])
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', at(name)]
  openssl('req', '-x509', ...key('ca-key.pem'), '-out', at('ca.pem'), '-subj', '/CN=authority', '-days', '2')
  openssl('req', ...key('key.pem'), '-out', at('request.pem'), '-subj', '/CN=engine')
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1')
  const by = ['-CA', at('ca.pem'), '-CAkey', at('ca-key.pem'), '-CAcreateserial', '-extfile', at('names')]
  openssl('x509', '-req', '-in', at('request.pem'), ...by, '-out', at('cert.pem'), '-days', '2')
  return folder
}
