import { expect, test } from 'vitest'
import { kindOf } from '../../build/test/kinds.mjs'

/** A tree of test files, each with its text. */
function kind(files: Record<string, string>): string {
  return kindOf(Object.keys(files)[0] ?? '', file => files[file])
}

test('a test of functions needs neither engine nor window', () => {
  expect(
    kind({ 'test/a/a.test.ts': "import { join } from 'node:path'\nimport { a } from '../../server/a/a.ts'" }),
  ).toBe('unit')
})

test('a test needs what the parts need that it imports, however far away', () => {
  const parts = {
    'test/parts/b.ts': "export * from './engine/c.ts'",
    'test/parts/d.ts': "import {\n  createService,\n} from '../../server/composition/service.ts'",
  }
  expect(kind({ 'test/a/a.test.ts': "import { b } from '../parts/b.ts'", ...parts })).toBe('engine')
  expect(kind({ 'test/a/a.test.ts': "const { d } = await import('../parts/d.ts')", ...parts })).toBe('engine')
  expect(kind({ 'test/a/a.test.ts': "import { startSecretService } from '../parts/secret/service.ts'" })).toBe('engine')
})

test('a test that drives a window needs one, whatever else it needs', () => {
  expect(
    kind({
      'test/a/a.test.ts': "import { chromium } from 'playwright'\nimport { b } from '../parts/engine/b.ts'",
    }),
  ).toBe('window')
})

test('a test that measures has a process of its own', () => {
  expect(kind({ 'test/a/a.test.ts': 'const started = performance.now()' })).toBe('bounds')
})

test('a type is not needed when the test runs', () => {
  expect(kind({ 'test/a/a.test.ts': "import type { Page } from 'playwright'" })).toBe('unit')
})

test('circles end', () => {
  expect(kind({ 'test/a/a.test.ts': "import '../parts/b.ts'", 'test/parts/b.ts': "import '../a/a.test.ts'" })).toBe(
    'unit',
  )
})
