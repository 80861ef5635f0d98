import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it as base, expect } from 'vitest'
import { capture } from '../../build/machine/command.mjs'
import { projectFolder } from '../../build/machine/paths.mjs'

const MINUTES = 60_000

/** Releases are made of commits, so that these tests look at the newest one and not at what has changed since. */
const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-release-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  .extend('clone', { scope: 'file' }, ({ folder }) => async (name: string) => {
    const path = join(folder, name)
    await capture('git', ['clone', '--quiet', projectFolder, path], { quiet: true })
    // Where they are is a part of what is bundled. As links they are there at once, on the same disk.
    const copied = ['node_modules', join(path, 'node_modules')]
    const { code } = await capture('cp', ['-al', ...copied], { cwd: projectFolder, quiet: true })
    if (code !== 0) await capture('cp', ['-a', ...copied], { cwd: projectFolder, quiet: true })
    return path
  })
  .extend('run', { scope: 'file' }, ({}) => async (path: string, ...words: string[]) => {
    const env = { ...process.env, SOURCE_DATE_EPOCH: undefined }
    return capture(process.execPath, words, { cwd: path, env, quiet: true, timeout: 14 * MINUTES })
  })
  .extend('released', { scope: 'file' }, async ({ clone, run }) => {
    const path = await clone('released')
    return { path, ...(await run(path, 'build/release.mjs', '--dry-run')) }
  })

/** What a command made there. */
function made(path: string): string {
  return join(path, 'out', 'package', 'files', 'test')
}

test('what is not committed, or not written down, is not released', async ({ clone, run }) => {
  const path = await clone('unready')
  cpSync(join(path, 'README.md'), join(path, 'forgotten.md'))
  const changelog = join(path, 'CHANGELOG.md')
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(/^## \[(?=\d)/gm, '## [before '))
  const { code, output } = await run(path, 'build/release.mjs', '--check')
  expect(code).toBe(1)
  expect(output).toContain('✗ Some files are not committed. Commit or remove them')
  expect(output).toMatch(/✗ CHANGELOG\.md has no section \[\d+\.\d+\.\d+\]/)
})

test(
  'a trial of a release checks everything, and makes each package with its sum',
  async ({ released }) => {
    expect(released).toMatchObject({ code: 0 })
    const folder = made(released.path)
    const names = readdirSync(folder).map(name => name.replace(/\d+\.\d+\.\d+/, 'V').replace(/x64|amd64|x86_64/, 'P'))
    expect(names.sort()).toEqual([
      'SHA256SUMS',
      'atelier-V-1.P.rpm',
      'atelier-V-linux-P.cdx.json',
      'atelier-V-linux-P.tar.gz',
      'atelier-V-linux-P.yml',
      'atelier_V_P.deb',
      'latest-linux-P.yml',
    ])
    const { code, stdout } = await capture('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, quiet: true })
    expect(code).toBe(0)
    expect(stdout.split('\n').filter(line => line.endsWith(': OK'))).toHaveLength(names.length - 1)
  },
  15 * MINUTES,
)

test(
  'the same commit, packaged in another folder, is the same bytes',
  async ({ released, clone, run }) => {
    const again = await clone('elsewhere')
    const { code, output } = await run(again, 'build/package.mjs', '--all')
    expect({ code, output }).toMatchObject({ code: 0 })
    const names = readdirSync(made(again))
    const differing = names.filter(
      name => !readFileSync(join(made(again), name)).equals(readFileSync(join(made(released.path), name))),
    )
    expect({ names: names.length, differing }).toEqual({ names: names.length, differing: [] })
  },
  15 * MINUTES,
)
