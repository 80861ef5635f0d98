import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { capture } from '../../build/machine/command.mjs'
import { makeTar } from '../../build/package/linux/tar.mjs'
import { EPOCH } from '../parts/updates/versions.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian } from './debian.ts'
import { expectFullSandbox, openWindow } from './debian-window.ts'

const NAME = `atelier-0.1.0-linux-${process.arch}`

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-tars-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  .extend('make', { scope: 'file' }, ({ folder }) => (into: string) => {
    const source = { app: dirname(desktopProgram().path), version: '0.1.0', epoch: EPOCH, release: false }
    return makeTar(source, join(folder, into))
  })
  .extend('archive', { scope: 'file' }, ({ make }) => make('first'))
  .extend('debian', { scope: 'file' }, async ({ folder, archive: _ }, { onCleanup }) => {
    // For the person of the Debian too.
    chmodSync(folder, 0o755)
    const debian = await Debian.boot(folder)
    onCleanup(() => debian.shutDown())
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    return debian
  })

describe('the archive', () => {
  test('is the same bytes when it is made again', async ({ make, archive }) => {
    expect(readFileSync(await make('second')).equals(readFileSync(archive))).toBe(true)
  })

  test('is one folder in a stable order, of nobody and of one time', async ({ archive }) => {
    const list = ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '--file', archive]
    const { stdout } = await capture('tar', list, { quiet: true })
    const entries = stdout.trim().split('\n')
    const form = /^([d-])(rwxr-xr-x|rw-r--r--) 0\/0 +\d+ 2026-01-01 00:00:00 atelier-0\.1\.0-linux-\w+\//
    expect(entries.filter(entry => !form.test(entry))).toEqual([])
    const names = entries.map(entry => entry.split(' 00:00:00 ')[1])
    const within = names.map(name => name?.slice(name.indexOf('/') + 1))
    expect(within).toEqual(
      expect.arrayContaining(['atelier', 'bin/atelier', 'LICENSE', 'share/applications/atelier.desktop']),
    )
  })

  test('runs where it is unpacked', async ({ folder, archive }) => {
    await capture('tar', ['-C', folder, '-xzf', archive], { quiet: true })
    const program = join(folder, NAME, 'bin', 'atelier')
    expect(existsSync(program)).toBe(true)
    const { code, stdout } = await capture(program, ['--version'], { quiet: true })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test('describes the app to desktops as they want it', async ({ folder }) => {
    const share = join(folder, NAME, 'share')
    const check = (command: string, ...words: string[]) => capture(command, words, { quiet: true })
    expect(await check('desktop-file-validate', join(share, 'applications', 'atelier.desktop'))).toMatchObject({
      code: 0,
      output: '',
    })
    const metainfo = join(share, 'metainfo', 'dev.atelier.app.metainfo.xml')
    expect(await check('appstreamcli', 'validate', '--no-net', '--pedantic', metainfo)).toMatchObject({ code: 0 })
    const manual = await check('man', '--warnings', '--local-file', join(share, 'man', 'man1', 'atelier.1.gz'))
    expect(manual.code).toBe(0)
    expect(manual.output).not.toContain('warning')
    expect(manual.stdout).toContain('sandboxes exec')
  })

  test('opens its window for a normal user who has unpacked it at home', async ({ debian, archive }) => {
    const before = await debian.paths()
    await debian.must(['tar', '-xzf', join('/mnt', 'first', basename(archive))], {})
    const { page, quit, detach } = await openWindow(debian, {}, `/home/ada/${NAME}/atelier`)
    try {
      await page.getByRole('button', { name: 'Watch the demonstration' }).waitFor()
      await expectFullSandbox(debian)
      expect(await quit()).toBe(0)
    } finally {
      await detach()
    }
    expect((await debian.paths()).filter(path => !before.includes(path))).toEqual([])
  })
})
