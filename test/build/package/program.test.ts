import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desktopEntry, metainfo, nemoAction, serviceMenu } from '../../../build/package/linux/entries.mjs'
import { linkRoute, MAX_LINK_CHARACTERS } from '../../../electron/opening/link.ts'

const test = it.extend('argumentsOf', { scope: 'file' }, ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-program-'))
  onCleanup(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'bin'))
  const program = join(folder, 'bin', 'atelier')
  cpSync(join(import.meta.dirname, '..', '..', '..', 'build', 'package', 'atelier.sh'), program)
  writeFileSync(join(folder, 'atelier'), `#!/bin/sh\nprintf '%s\\0' "$@"\n`)
  chmodSync(program, 0o755)
  chmodSync(join(folder, 'atelier'), 0o755)
  /** What the app is started with. */
  return (...words: string[]) => execFileSync(program, words, { encoding: 'utf8' }).split('\0').slice(0, -1)
})

describe.skipIf(process.platform === 'win32')('the program `atelier`', () => {
  test.for([
    ['--folder', 'shop'],
    ['--folder=shop'],
    ['/srv/a b'],
    ['file:///srv'],
    ['atelier://new?text=a b'],
    ['ATELIER:new'],
    ['sftp://server/srv'],
    ['smb://server/share', '/srv'],
    ['trash:///'],
  ])('opens the app with %j', (words, { argumentsOf }) => {
    expect(argumentsOf(...words)).toEqual(words)
  })

  test.for([['list'], ['--url=http://127.0.0.1:1', 'list'], ['run', 'atelier://new'], ['shop']])(
    'gives %j to the command line',
    (words, { argumentsOf }) => {
      const given = argumentsOf(...words)
      expect(given.slice(given.indexOf('--command'))).toEqual(['--command', '--', ...words])
    },
  )

  test('gives a link whole that the app may open', ({ argumentsOf }) => {
    const link = `atelier://new?text=${'x'.repeat(MAX_LINK_CHARACTERS)}`.slice(0, MAX_LINK_CHARACTERS)
    expect(argumentsOf(link)).toEqual([link])
  })

  test.for([
    [`atelier://new?text=${'x'.repeat(100_000)}`],
    // Fewer characters than bytes.
    [`atelier://new?text=${'任'.repeat(8_001)}`],
    ['atelier://new', `sftp://${'x'.repeat(MAX_LINK_CHARACTERS)}`],
  ])('gives a short link that is refused as too long in place of longer words', (words, { argumentsOf }) => {
    const given = argumentsOf(...words)
    expect(given).toHaveLength(1)
    expect(given.join().length).toBeLessThan(MAX_LINK_CHARACTERS + 100)
    expect(linkRoute(given.join())).toBe('/?link=too_long')
  })
})

test('desktops give links to the program, and do not take it for a file manager', () => {
  const entries = {
    en: { summary: 'Runs agents', newConversation: 'New conversation', openInAtelier: 'Open with Atelier' },
  }
  expect(desktopEntry(entries)).toMatch(/^Exec=atelier %U$/m)
  expect(desktopEntry(entries)).toMatch(/^MimeType=x-scheme-handler\/atelier;$/m)
  for (const menu of [serviceMenu(entries), nemoAction(entries)]) {
    expect(menu).toContain('\nName=Open with Atelier\n')
    expect(menu).toMatch(/^Exec=atelier --folder %[fF]$/m)
  }
  expect(metainfo(entries, { version: '1.0.0', date: '2026-01-01' })).not.toContain('inode/directory')
})
