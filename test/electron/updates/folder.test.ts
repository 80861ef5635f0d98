import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isReplaceable, replaceFolder } from '../../../electron/updates/folder.ts'

const FILES = [
  'atelier',
  'chrome-sandbox',
  'resources/app.asar',
  'resources/package-files.txt',
  'share/man/man1/atelier.1.gz',
]

let parent: string
let app: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'atelier-folder-'))
  app = join(parent, 'app')
  for (const file of FILES) put(file)
  put('resources/package-files.txt', `${FILES.join('\n')}\n`)
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function put(file: string, content = ''): void {
  mkdirSync(dirname(join(app, file)), { recursive: true })
  writeFileSync(join(app, file), content)
}

test('a folder that holds what its archive brought can be replaced', () => {
  expect(isReplaceable(app)).toBe(true)
})

test.each(['notes.txt', 'share/Atelier/atelier.db', 'resources/app.asar.old', 'bin/other'])(
  'one that holds %s too is left as it is',
  file => {
    put(file, 'mine')
    expect(isReplaceable(app)).toBe(false)
    expect(() => replaceFolder(app, join(parent, 'any.tar.gz'))).toThrow('did not come with Atelier')
    expect(readFileSync(join(app, file), 'utf8')).toBe('mine')
  },
)

test('one without a list, or with a helper that root has made setuid, is not replaced', () => {
  chmodSync(join(app, 'chrome-sandbox'), 0o4755)
  expect(isReplaceable(app)).toBe(false)
  chmodSync(join(app, 'chrome-sandbox'), 0o755)
  rmSync(join(app, 'resources/package-files.txt'))
  expect(isReplaceable(app)).toBe(false)
})
