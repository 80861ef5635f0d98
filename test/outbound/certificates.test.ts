import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { test as base, expect } from 'vitest'
import { trustedCertificates } from '../../server/outbound/certificates.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import { LIMITS, opened, problemOf } from './parts.ts'

/** An authority of a company's own, with the files of a server that it has issued a certificate for. */
const test = base.extend('authority', { scope: 'file' }, ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-authority-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Company')
  openssl('req', ...key, '-keyout', file('key.pem'), '-out', file('request.pem'), '-subj', '/CN=server')
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1')
  const issued = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('names')]
  openssl('x509', '-req', '-in', file('request.pem'), ...issued, '-out', file('certificate.pem'))
  return { file, key: readFileSync(file('key.pem')), cert: readFileSync(file('certificate.pem')) }
})

const callsThat = (trusts: () => string[]) => {
  const calls = new Outbound({ allowedHosts: () => [], certificates: trusts })
  opened.push(calls)
  return calls.fetch({ namedBy: 'person', limits: LIMITS })
}

test('a server is trusted by an authority of the system, or of NODE_EXTRA_CA_CERTS, and by no other', async ({
  authority,
  onTestFinished,
}) => {
  const server = createServer(authority, (_request, reply) => reply.end('Here.'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ca = authority.file('ca.pem')
  for (const env of [{ SSL_CERT_FILE: ca }, { NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: '/gone' }]) {
    const fetch = callsThat(() => trustedCertificates(env))
    expect(await (await fetch(url)).text()).toBe('Here.')
  }
  const fetch = callsThat(() => trustedCertificates({ SSL_CERT_FILE: '/gone' }))
  expect((await problemOf(fetch(url)))[0]).toBe('certificate')
})

test('a broken certificate in the file of the system costs nothing but itself', ({ authority }) => {
  const [own] =
    readFileSync(authority.file('ca.pem'), 'utf8').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/) ?? []
  const broken = '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n'
  writeFileSync(authority.file('system.pem'), `${broken}# Company\n${own}\n`)
  const found = trustedCertificates({ SSL_CERT_FILE: authority.file('system.pem') })
  expect(found).toEqual([...rootCertificates, own])
})
