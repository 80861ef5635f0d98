import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  copyProblems,
  deprecationProblems,
  isAllowedLicense,
  licenseProblems,
  scriptProblems,
  vulnerabilityProblems,
} from '../../../build/release/rules.mjs'
import { reachable } from '../../../build/release/shipped.mjs'
import { versionProblems } from '../../../build/release/version.mjs'

const LOCK = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '^2' } },
  'node_modules/a/node_modules/b': { version: '2.0.0', license: 'GPL-3.0-only', dependencies: { c: '1' } },
  'node_modules/b': { version: '1.0.0', license: 'MIT', hasInstallScript: true },
  'node_modules/c': { version: '1.0.0', optionalDependencies: { missing: '1' } },
  'node_modules/unused': { version: '1.0.0', license: 'GPL-3.0-only', hasInstallScript: true },
}

test('what is shipped is what the sources import, and what that depends on, as Node.js finds it', () => {
  expect(reachable(LOCK, ['a', 'node:fs']).map(({ folder }) => folder)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
})

test('a licence that is not allowed, and one that nobody names, are problems', () => {
  const root = mkdtempSync(join(tmpdir(), 'atelier-licences-'))
  const folder = join(root, 'node_modules', 'c')
  mkdirSync(folder, { recursive: true })
  const shipped = reachable(LOCK, ['a'])
  expect(licenseProblems(root, shipped)).toEqual(['b 2.0.0: GPL-3.0-only', 'c 1.0.0: no licence named'])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ licenses: [{ type: 'MIT' }] }))
  expect(licenseProblems(root, shipped)).toEqual(['b 2.0.0: GPL-3.0-only'])
  rmSync(root, { recursive: true })
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['SEE LICENSE IN x', false],
  [undefined, false],
])('the licence %s is allowed: %s', (license, isAllowed) => {
  expect(isAllowedLicense(license)).toBe(isAllowed)
})

test('who runs a program when installed is known, and who is known does', () => {
  expect(scriptProblems(LOCK, { b: 'finds its binary', gone: 'did' })).toEqual([
    'unused runs a program when it is installed',
    'gone runs no program any more when it is installed: take it off the list',
  ])
})

test('what a bundle carries in two copies is known, and what is known is carried in two', () => {
  const bundles = {
    service: ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b'],
    window: ['node_modules/b'],
  }
  expect(copyProblems(LOCK, bundles, { b: 'has to' })).toEqual([])
  expect(copyProblems(LOCK, bundles, { c: 'had to' })).toEqual([
    'b is bundled into the service 2 times: 2.0.0 in node_modules/a/node_modules/b, 1.0.0 in node_modules/b',
    'c is bundled once now: take it off the list',
  ])
})

test('a package that its makers have given up is named with what they say', () => {
  expect(deprecationProblems(LOCK)).toEqual([])
  const lock = { ...LOCK, 'node_modules/a/node_modules/d': { version: '1.1.0', deprecated: 'Use e.' } }
  expect(deprecationProblems(lock)).toEqual(['d 1.1.0 is deprecated: Use e.'])
})

test('a package with a known vulnerability is named once, and a registry that cannot tell is no clean bill', () => {
  const via = [{ title: 'Runs what it is given', url: 'https://example.com/advisory' }]
  const vulnerabilities = {
    b: { name: 'b', severity: 'high', range: '<1.0.1', via },
    a: { name: 'a', severity: 'high', range: '*', via: ['b'] },
  }
  expect(vulnerabilityProblems(JSON.stringify({ vulnerabilities }))).toEqual([
    'b <1.0.1: high, Runs what it is given (https://example.com/advisory)',
  ])
  expect(vulnerabilityProblems(JSON.stringify({ vulnerabilities: {} }))).toEqual([])
  expect(vulnerabilityProblems(JSON.stringify({ message: '405 Method Not Allowed', error: {} }))).toBeUndefined()
  expect(vulnerabilityProblems('')).toBeUndefined()
})

test('a version is released with a section of its own, and nothing is left unreleased', () => {
  const changelog = '# Changes\n\n## [Unreleased]\n\n## [1.2.0]\n\n- One.\n\n## [1.1.0]\n'
  expect(versionProblems({ version: '1.2.0', changelog, tags: ['v1.2.0'] })).toEqual([])
  expect(versionProblems({ version: '1.2.0', changelog, tags: ['v1.2.0', 'v1.3.0'] })).toHaveLength(1)
  expect(versionProblems({ version: '1.1.0', changelog, tags: [] })).toHaveLength(1)
  expect(versionProblems({ version: '1.3.0', changelog, tags: [] })).toHaveLength(1)
  expect(versionProblems({ version: '1.3', changelog, tags: [] })).toHaveLength(2)
  const open = changelog.replace('## [1.2.0]', '- More.\n\n## [1.2.0]')
  expect(versionProblems({ version: '1.2.0', changelog: open, tags: [] })).toHaveLength(1)
})
