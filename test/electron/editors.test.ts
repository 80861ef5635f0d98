import { expect, test } from 'vitest'
import { argumentsFor, foundPlaces, KNOWN_EDITORS, placesOf } from '../../electron/editors/known.ts'

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

test.each([
  ['its own installer', 'C:\\Program Files\\JetBrains\\IntelliJ IDEA 2025.10.1\\bin\\idea64.exe'],
  ['its own installer, for one person', 'C:\\L\\Programs\\IntelliJ IDEA Ultimate\\bin\\idea64.exe'],
  ['the Toolbox of before', 'C:\\L\\JetBrains\\Toolbox\\apps\\IDEA-U\\ch-0\\233.11799\\bin\\idea64.exe'],
  ['a folder of PATH', 'D:\\tools\\idea64.exe'],
])('on Windows IntelliJ IDEA is found where %s puts it', async (_, program) => {
  const windows = { env: { Path: 'D:\\tools', LOCALAPPDATA: 'C:\\L' }, home: 'C:\\me' }
  const list = listOf([program, 'C:\\Program Files\\JetBrains\\PyCharm 2025.1\\bin\\pycharm64.exe'])
  const places = placesOf(editor('idea'), { ...windows, platform: 'win32' })
  const found = await Promise.all(places.map(place => foundPlaces(place, 'win32', list)))
  expect(found.flat()).toContain(program)
  expect(found.flat().join()).not.toContain('*')
})

test('of several versions the highest is taken, and a folder of another editor is none of them', async () => {
  const at = (folder: string) => `C:\\Program Files\\JetBrains\\${folder}\\bin\\idea64.exe`
  const list = listOf([at('IntelliJ IDEA 2025.9'), at('IntelliJ IDEA 2025.10'), at('IDEA'), at('PyCharm 2026')])
  expect(await foundPlaces(at('IntelliJ IDEA*'), 'win32', list)).toEqual([
    at('IntelliJ IDEA 2025.10'),
    at('IntelliJ IDEA 2025.9'),
  ])
  expect(await foundPlaces('/Applications/*.app/Contents/MacOS/idea', 'darwin', async () => [])).toEqual([])
})

/** Lists the folders that these files are in, and no others. */
function listOf(files: readonly string[]) {
  return async (folder: string) => [
    ...new Set(
      files.filter(file => file.startsWith(folder)).map(file => file.slice(folder.length).split('\\')[0] ?? ''),
    ),
  ]
}
