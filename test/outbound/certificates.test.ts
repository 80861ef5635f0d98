import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { rootCertificates } from 'node:tls'
import { test as base, expect } from 'vitest'
import { trustedCertificates } from '../../server/outbound/certificates.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import { type Authority, makeAuthority } from '../parts/network/authority.ts'
import { LIMITS, opened, problemOf } from './parts.ts'

const test = base.extend('authority', { scope: 'file' }, ({}, { onCleanup }) => {
  const authority = makeAuthority('IP:127.0.0.1')
  onCleanup(authority.remove)
  return authority
})

const callsThat = (trusts: () => string[]) => {
  const calls = new Outbound({ allowedHosts: () => [], certificates: trusts })
  opened.push(calls)
  return calls.fetch({ namedBy: 'person', limits: LIMITS })
}

const serve = async (authority: Authority, onTestFinished: (close: () => void) => void): Promise<string> => {
  const server = createServer(authority, (_request, reply) => reply.end('Here.'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a server is trusted by an authority of the system, or of NODE_EXTRA_CA_CERTS, and by no other', async ({
  authority,
  onTestFinished,
}) => {
  const url = await serve(authority, onTestFinished)
  const ca = authority.file('ca.pem')
  for (const env of [{ SSL_CERT_FILE: ca }, { NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: '/gone' }]) {
    const fetch = callsThat(() => trustedCertificates(env))
    expect(await (await fetch(url)).text()).toBe('Here.')
  }
  const fetch = callsThat(() => trustedCertificates({ SSL_CERT_FILE: '/gone' }))
  expect((await problemOf(fetch(url)))[0]).toBe('certificate')
})

test('a certificate out of its time names the date by which it is, as the clock may be wrong', async ({
  onTestFinished,
}) => {
  const expired = makeAuthority('IP:127.0.0.1', { days: -1 })
  onTestFinished(expired.remove)
  const fetch = callsThat(() => trustedCertificates({ SSL_CERT_FILE: expired.file('ca.pem') }))
  const [problem, message] = await problemOf(fetch(await serve(expired, onTestFinished)))
  expect(problem).toBe('certificate')
  expect(message).toMatch(/it has expired\. By this computer's clock it is \d{4}-\d\d-\d\d: set the clock/)
})

test('a broken certificate in the file of the system costs nothing but itself', ({ authority }) => {
  const [own] =
    readFileSync(authority.file('ca.pem'), 'utf8').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/) ?? []
  const broken = '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n'
  writeFileSync(authority.file('system.pem'), `${broken}# Company\n${own}\n`)
  const found = trustedCertificates({ SSL_CERT_FILE: authority.file('system.pem') })
  expect(found).toEqual([...rootCertificates, own])
})
