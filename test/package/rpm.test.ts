import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { capture } from '../../build/machine/command.mjs'
import { makeRpm } from '../../build/package/linux/rpm.mjs'
import { desktopProgram } from '../parts/window/desktop-app.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-rpms-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  .extend('make', { scope: 'file' }, ({ folder }) => (into: string) => {
    const source = { app: dirname(desktopProgram().path), version: '0.1.0', epoch: 1_767_225_600, release: false }
    return makeRpm(source, join(folder, into))
  })
  .extend('rpm', { scope: 'file' }, ({ make }) => make('first'))
  .extend('ask', { scope: 'file' }, ({ rpm }) => async (...query: string[]) => {
    const { code, stdout } = await capture('rpm', ['-qp', ...query, rpm], { quiet: true })
    expect(code).toBe(0)
    return stdout.trim().split('\n')
  })

describe('the RPM package', () => {
  test('is the same bytes when it is made again', async ({ make, rpm }) => {
    expect(readFileSync(await make('second')).equals(readFileSync(rpm))).toBe(true)
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
})
