import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'

/** Where Debian, Fedora, openSUSE, older Red Hats and Alpine keep the authorities of the system, in one file. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * What servers are trusted by: the authorities that Node.js brings, those of the system, where a company or a person adds their own, and those of
 * `NODE_EXTRA_CA_CERTS`, which a packaged app is not given by Node.js.
 * @returns certificates as PEM, each once
 */
export function trustedCertificates(env: NodeJS.ProcessEnv): string[] {
  const extra = env.NODE_EXTRA_CA_CERTS ? certificatesIn(env.NODE_EXTRA_CA_CERTS) : []
  return [...new Set([...tls.rootCertificates, ...systemCertificates(env), ...extra])]
}

function systemCertificates({ SSL_CERT_FILE: chosen }: NodeJS.ProcessEnv): string[] {
  // Of newer Node.js alone, on every system: https://nodejs.org/api/tls.html#tlsgetcacertificatestype
  const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] }
  if (process.platform !== 'linux') return getCACertificates?.('system') ?? []
  for (const file of chosen ? [chosen] : SYSTEM_FILES) {
    const found = certificatesIn(file)
    if (found.length > 0) return found
  }
  return []
}

/** Those that can be read: one that cannot would make every call fail. */
function certificatesIn(file: string): string[] {
  try {
    return (readFileSync(file, 'utf8').match(PEM) ?? []).filter(isCertificate)
  } catch {
    return []
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
