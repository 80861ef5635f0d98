import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTENT_SECURITY_POLICY, resolveAppFile } from '../../electron/app-files.ts'

const FOLDER = '/opt/atelier/renderer'

test.each([
  ['app://atelier/', 'index.html'],
  ['app://atelier/#/settings', 'index.html'],
  ['app://atelier/conversations/0a1b', 'index.html'],
  ['app://atelier/assets/main-abc.js?v=1', 'assets/main-abc.js'],
  ['app://atelier/assets/a%20b.svg', 'assets/a b.svg'],
])('%s is the file %s', (address, file) => {
  expect(resolveAppFile(address, FOLDER)).toBe(join(FOLDER, file))
})

test.each([
  'app://atelier/../../etc/passwd.txt',
  'app://atelier/%2e%2e/%2e%2e/secret.json',
  'app://atelier/..%2f..%2fsecret.json',
  'app://atelier/assets/..%2f..%2f..%2fsecret.json',
  'app://atelier/%2e%2e%5csecret.json',
  'app://atelier/a%00.js',
  'app://atelier/%ff.js',
  'app://atelier/..%2frenderer-evil%2fa.js',
  'app://evil/index.html',
  'https://atelier/index.html',
])('%s leads nowhere outside the folder', address => {
  const file = resolveAppFile(address, FOLDER)
  expect(file === undefined || file.startsWith(`${FOLDER}/`)).toBe(true)
})

test('encoded ways out of the folder are refused', () => {
  expect(resolveAppFile('app://atelier/..%2f..%2fsecret.json', FOLDER)).toBeUndefined()
  expect(resolveAppFile('app://atelier/..%2frenderer-evil%2fa.js', FOLDER)).toBeUndefined()
})

test('the policy lets no foreign or inline script in, and connects to this computer only', () => {
  const policy = new Map(
    CONTENT_SECURITY_POLICY.split('; ').map(part => [part.split(' ')[0], part.split(' ').slice(1)]),
  )
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('script-src')).toEqual(["'self'"])
  expect(policy.get('connect-src')).toEqual(['http://127.0.0.1:*', 'ws://127.0.0.1:*'])
  for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"])
  expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'blob:'])
})
