import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { fileFor, isNewer, latestName, readRelease } from '../../../electron/updates/release.ts'

const NAME = latestName('linux', 'x64')
const FILE = { url: 'atelier_1.2.3_amd64.deb', sha512: `${'A'.repeat(86)}==`, size: 10 }
const RELEASE = { version: '1.2.3', releaseDate: '2026-01-01T00:00:00.000Z', releaseNotes: '- New.', files: [FILE] }

test('a signed description is read', () => {
  const { publicKey, signed } = publisher()
  const { publicKey: other } = publisher()
  expect(readRelease(signed(stringify(RELEASE)), [other, publicKey])).toEqual({
    version: '1.2.3',
    date: RELEASE.releaseDate,
    notes: '- New.',
    files: [FILE],
  })
})

test('one that is changed, renamed, or signed by others or not at all is refused', () => {
  const { publicKey, signed } = publisher()
  const good = signed(stringify(RELEASE))
  const offences = [
    { ...good, text: `${good.text} ` },
    { ...good, name: latestName('linux', 'arm64') },
    { ...good, signature: '' },
    { ...good, signature: 'not base64' },
    publisher().signed(good.text),
  ]
  for (const offence of offences) {
    expect(() => readRelease(offence, [publicKey])).toThrowError(expect.objectContaining({ code: 'bad_signature' }))
  }
})

test.each([
  ['no YAML', '{'],
  ['no description', '[]'],
  ['YAML that grows', `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]`],
  ['no version', stringify({ ...RELEASE, version: '1.2' })],
  ['a version with a way to another folder', stringify({ ...RELEASE, version: '../1.2.3' })],
  ['a file elsewhere', stringify({ ...RELEASE, files: [{ ...FILE, url: 'https://example.com/a.deb' }] })],
  ['a file in another folder', stringify({ ...RELEASE, files: [{ ...FILE, url: '../a.deb' }] })],
  ['an option as a file', stringify({ ...RELEASE, files: [{ ...FILE, url: '--a.deb' }] })],
  ['a hash of another kind', stringify({ ...RELEASE, files: [{ ...FILE, sha512: 'abc' }] })],
  ['a package without an end', stringify({ ...RELEASE, files: [{ ...FILE, size: 2 ** 40 }] })],
  ['no packages', stringify({ ...RELEASE, files: [] })],
])('%s is refused, though it is signed', (_what, text) => {
  const { publicKey, signed } = publisher()
  expect(() => readRelease(signed(text), [publicKey])).toThrowError(expect.objectContaining({ code: 'bad_feed' }))
})

test('only a higher version is newer, and one before a release is older than that', () => {
  expect(isNewer('1.2.4', '1.2.3')).toBe(true)
  expect(isNewer('1.10.0', '1.9.9')).toBe(true)
  expect(isNewer('1.2.3', '1.2.3')).toBe(false)
  expect(isNewer('1.2.2', '1.2.3')).toBe(false)
  expect(isNewer('1.2.3-beta.1', '1.2.3')).toBe(false)
})

test('each installation gets its own kind of package, and a release without it says so', () => {
  const release = {
    version: '1.2.3',
    date: RELEASE.releaseDate,
    notes: '',
    files: ['a.deb', 'a.rpm', 'a.tar.gz'].map(url => ({ ...FILE, url })),
  }
  expect(fileFor(release, 'deb').url).toBe('a.deb')
  expect(fileFor(release, 'rpm').url).toBe('a.rpm')
  expect(fileFor(release, 'tar').url).toBe('a.tar.gz')
  expect(fileFor(release, 'manual').url).toBe('a.tar.gz')
  expect(() => fileFor(release, 'nsis')).toThrowError(expect.objectContaining({ code: 'bad_feed' }))
})

function publisher() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    signed: (text: string) => signedBy(privateKey, text),
  }
}

function signedBy(key: KeyObject, text: string) {
  return { name: NAME, text, signature: sign(null, Buffer.from(`${NAME}\n${text}`), key).toString('base64') }
}
