import { expect, test } from 'vitest'
import { missingPackages, packageList, releaseNames } from '../../build/machine/debian.mjs'

test('a package counts as installed under its 64-bit-time name', () => {
  const status = 'libgtk-3-0t64 installed\ngit installed\nxvfb config-files\n'
  expect(missingPackages(['libgtk-3-0', 'git', 'xvfb', 'dbus'], status)).toEqual(['xvfb', 'dbus'])
})

test('a removed package whose configuration is left counts as missing', () => {
  expect(missingPackages(['docker.io'], 'docker.io config-files\n')).toEqual(['docker.io'])
})

test('groups that share a package ask for it once', () => {
  const names = packageList(['electron', 'keychain', 'tests'])
  expect(names.filter(name => name === 'libsecret-1-0')).toHaveLength(1)
})

test('a renamed package is asked for by the name that this release has', () => {
  expect(releaseNames(['libasound2', 'libnss3'], 'libasound2t64\nlibnss3\n')).toEqual(['libasound2t64', 'libnss3'])
})
