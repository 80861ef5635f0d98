import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireBundledImage } from '../../../build/image.mjs'
import { builderConfig } from '../../../build/package/builder-config.mjs'
import { packagePrint } from '../../../build/package.mjs'
import { readRecipe } from '../../../build/sandbox-image/recipe.mjs'

const ELECTRON = { folder: '/electron', version: '1.2.3', official: true }

function printOf(env: NodeJS.ProcessEnv, { release = true, files = 'a' } = {}): string {
  const config = builderConfig({ electron: ELECTRON, output: '/out', release, env })
  return packagePrint(config, files, env)
}

test('the app is packaged again when its files, its configuration or what signs it have changed', () => {
  expect(printOf({})).toBe(printOf({ HOME: '/home/ada', CSC_LINK: '' }))
  expect(printOf({}, { files: 'b' })).not.toBe(printOf({}))
  expect(printOf({}, { release: false })).not.toBe(printOf({}))
  expect(printOf({ WIN_CSC_LINK: 'one' })).not.toBe(printOf({}))
  expect(printOf({ CSC_LINK: 'one' })).not.toBe(printOf({}))
})

test('what signs counts by its name alone, so that no secret is in what is kept', () => {
  expect(printOf({ WIN_CSC_LINK: 'one' })).toBe(printOf({ WIN_CSC_LINK: 'two' }))
})

test('a release without the sandbox image, or with an older one, is refused with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-resources-'))
  const { hash, reference } = readRecipe()
  expect(() => requireBundledImage(folder)).toThrow(`sandbox-image-${hash}.tar.gz`)
  writeFileSync(join(folder, 'sandbox-image.json'), JSON.stringify({ reference: 'atelier/sandbox:old' }))
  expect(() => requireBundledImage(folder)).toThrow('node build/image.mjs')
  writeFileSync(join(folder, 'sandbox-image.json'), JSON.stringify({ reference }))
  requireBundledImage(folder)
  rmSync(folder, { recursive: true })
})
