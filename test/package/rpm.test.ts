import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { capture } from '../../build/machine/command.mjs'
import { makeRpm } from '../../build/package/linux/rpm.mjs'
import { EPOCH } from '../parts/updates/versions.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian, KEY } from './debian.ts'
import { expectFullSandbox, whileOpen } from './debian-window.ts'

const OLD = '0.0.9'
const NEW = '0.1.0'
/** Folders that belong to no program there, where packages are of this kind: the package `filesystem` brings them. */
const FILESYSTEM = ['/usr/share/licenses', '/usr/share/metainfo']

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-rpms-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  .extend('make', { scope: 'file' }, ({ folder }) => (version: string, into: string) => {
    const source = { app: dirname(desktopProgram().path), version, epoch: EPOCH, release: false }
    return makeRpm(source, join(folder, into))
  })
  .extend('rpm', { scope: 'file' }, ({ make }) => make(NEW, 'first'))
  .extend('oldRpm', { scope: 'file' }, ({ make }) => make(OLD, 'first'))
  .extend('ask', { scope: 'file' }, ({ rpm }) => async (...query: string[]) => {
    const { code, stdout } = await capture('rpm', ['-qp', ...query, rpm], { quiet: true })
    expect(code).toBe(0)
    return stdout.trim().split('\n')
  })
  .extend('debian', { scope: 'file' }, async ({ folder, rpm: _new, oldRpm: _old }, { onCleanup }) => {
    const debian = await Debian.boot(folder)
    onCleanup(() => debian.shutDown())
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    await debian.must(['mkdir', '--parents', ...FILESYSTEM])
    await debian.must(['rpm', '--initdb'])
    return debian
  })
  /** What there was before the package came. */
  .extend('before', { scope: 'file' }, ({ debian }) => debian.paths())

describe('the RPM package', () => {
  test('is the same bytes when it is made again', async ({ make, rpm }) => {
    expect(readFileSync(await make(NEW, 'second')).equals(readFileSync(rpm))).toBe(true)
  })

  test('requires libraries by the names that every distribution knows, and none of its own', async ({ ask }) => {
    const required = await ask('--requires')
    expect(required).toContain('libgtk-3.so.0()(64bit)')
    expect(required).toContain('libsecret-1.so.0()(64bit)')
    expect(required.filter(name => /ffmpeg|EGL|GLESv2|vulkan|swiftshader|musl/.test(name))).toEqual([])
    expect((await ask('--provides')).filter(name => name.includes('.so'))).toEqual([])
  })

  test('has no scripts, and files for everybody that nobody but root can change', async ({ ask }) => {
    expect(await ask('--scripts')).toEqual([''])
    const files = await ask('--queryformat', '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILENAMES}\n]')
    expect(files).toContain('-rwsr-xr-x root root /opt/Atelier/chrome-sandbox')
    expect(files).toContain('lrwxrwxrwx root root /usr/bin/atelier')
    expect(files).toContain('-rw-r--r-- root root /usr/share/applications/atelier.desktop')
    const others = files.filter(
      line => !/^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root root \/(opt\/Atelier|usr\/share)/.test(line),
    )
    expect(others).toEqual([
      '-rwsr-xr-x root root /opt/Atelier/chrome-sandbox',
      'lrwxrwxrwx root root /usr/bin/atelier',
    ])
  })

  test('is installed by rpm, and brings what a desktop and a shell look for', async ({ debian, before: _, oldRpm }) => {
    // Its database knows no package of Debian, so that nothing there provides a library.
    await debian.must(['rpm', '--install', '--nodeps', inDebian(oldRpm)])
    expect(await debian.must(['rpm', '--verify', '--nodeps', 'atelier'])).toBe('')
    expect(await debian.must(['desktop-file-validate', '/usr/share/applications/atelier.desktop'])).toBe('')
    const icons = await debian.must(['find', '/usr/share/icons/hicolor', '-name', 'atelier.*'])
    expect(icons).toContain('/48x48/apps/atelier.png\n')
    expect(icons).toContain('/scalable/apps/atelier.svg\n')
    expect(await debian.must(['sh', '-c', 'command -v atelier'], {})).toBe('/usr/bin/atelier\n')
    await debian.must(['test', '-s', '/usr/share/man/man1/atelier.1.gz'])
    await debian.must(['test', '-s', '/usr/share/bash-completion/completions/atelier'])
  })

  test('runs for a normal user in the full sandbox of Chromium, and answers on its own command line', async ({
    debian,
  }) => {
    await whileOpen(debian, debian.start(['atelier'], { SESSION_API_KEY: KEY }), async () => {
      await expectFullSandbox(debian)
      expect(await debian.atelier(['settings', 'set', 'max_iterations', '77'])).toMatchObject({ code: 0 })
    })
  })

  test('an upgrade keeps what the person has', async ({ debian, rpm }) => {
    await debian.must(['rpm', '--upgrade', '--nodeps', inDebian(rpm)])
    expect(await debian.must(['rpm', '--query', '--queryformat', '%{VERSION}\n', 'atelier'])).toBe(`${NEW}\n`)
    expect(await debian.must(['rpm', '--verify', '--nodeps', 'atelier'])).toBe('')
    await whileOpen(debian, debian.start(['atelier'], { SESSION_API_KEY: KEY }), async () => {
      expect(await debian.atelier(['settings', 'get', 'max_iterations'])).toMatchObject({ code: 0, stdout: '77\n' })
    })
  })

  test('when it is erased nothing is left but what the person has', async ({ debian, before }) => {
    await debian.must(['rpm', '--erase', 'atelier'])
    const after = await debian.paths()
    expect(after.filter(path => !before.includes(path))).toEqual([])
    expect(before.filter(path => !after.includes(path))).toEqual([])
    expect(await debian.must(['ls', '/home/ada/.local/share/Atelier'])).toContain('atelier.db\n')
  })
})

function inDebian(rpm: string): string {
  return join('/mnt', 'first', basename(rpm))
}
