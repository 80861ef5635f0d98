import { expect, test } from 'vitest'
import { argumentsFor, KNOWN_EDITORS, placesOf } from '../../electron/editors/known.ts'

function editor(id: string) {
  const found = KNOWN_EDITORS.find(known => known.id === id)
  if (!found) throw new Error(`No editor ${id}.`)
  return found
}
const place = { container: 'atelier-x', path: '/w/a b/ü#?.ts', kind: 'file' as const, host_path: null }

test('a file of a container has the address that the extension for containers reads', () => {
  const [option, address = ''] = argumentsFor(editor('code'), place) ?? []
  expect(option).toBe('--file-uri')
  const [, hex = '', path] = /^vscode-remote:\/\/attached-container\+([0-9a-f]+)(\/.*)$/.exec(address) ?? []
  expect(JSON.parse(Buffer.from(hex, 'hex').toString())).toEqual({ containerName: '/atelier-x' })
  expect(path).toBe('/w/a%20b/%C3%BC%23%3F.ts')
  expect(argumentsFor(editor('code'), { ...place, kind: 'directory' })?.[0]).toBe('--folder-uri')
})

test('a folder of this computer opens in every editor, a container in the family of VS Code alone', () => {
  for (const known of KNOWN_EDITORS) {
    expect(argumentsFor(known, { ...place, host_path: '/home/me/p' })).toEqual(['/home/me/p'])
    expect(argumentsFor(known, place) === null).toBe(known.family !== 'vscode')
  }
})

test('programs are looked for in fixed places and in absolute folders of PATH', () => {
  const env = { PATH: 'relative:.:/opt/bin::/usr/bin' }
  expect(placesOf(editor('zed'), { platform: 'linux', env, home: '/home/me' })).toEqual([
    '/home/me/.local/bin/zed',
    '/opt/bin/zed',
    '/opt/bin/zeditor',
    '/usr/bin/zed',
    '/usr/bin/zeditor',
  ])
  const windows = { platform: 'win32' as const, env: { Path: 'C:\\bin', LOCALAPPDATA: 'C:\\L' }, home: 'C:\\me' }
  expect(placesOf(editor('code'), windows)).toEqual([
    'C:\\L\\Programs\\Microsoft VS Code\\Code.exe',
    'C:\\Program Files\\Microsoft VS Code\\Code.exe',
    'C:\\bin\\code.exe',
  ])
})
