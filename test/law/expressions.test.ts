import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Each with why no text from outside can make its expression slow. */
const BUILT_FROM_CONSTANTS_OR_LITERALS = [
  'renderer/ui/field/SecretText.tsx', // constants
  'server/api/v1/sandbox/image-reference.ts', // the registry's grammar, from constants
  'server/knowledge/activate-skills.ts', // constants
  'server/llm/errors.ts', // constants
  'server/llm/prompt/calls.ts', // a constant
  'server/secret/mask/variable-names.ts', // an escaped name
]

test('a regular expression is built only where nothing from outside can make it slow', () => {
  const builders = ['server', 'renderer', 'electron']
    .flatMap(folder =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => `${folder}/${path}`),
    )
    .filter(
      path => /\.tsx?$/.test(path) && /new RegExp\(|\bRegExp\(|node:vm/.test(readFileSync(join(ROOT, path), 'utf8')),
    )
  expect(builders.sort()).toEqual(BUILT_FROM_CONSTANTS_OR_LITERALS)
})
