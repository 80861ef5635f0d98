import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Each with why no text from outside can make its expression slow. */
const BUILT_FROM_CONSTANTS_OR_LITERALS = [
  'electron/opening/link.ts', // constants
  'renderer/ui/field/SecretText.tsx', // constants
  'server/api/v1/sandbox/image-reference.ts', // the registry's grammar, from constants
  'server/knowledge/activate-skills.ts', // constants
  'server/llm/errors.ts', // constants
  'server/llm/prompt/calls.ts', // a constant
  'server/secret/mask/variable-names.ts', // an escaped name
]

/** The sources that hold such an expression. */
function filesWith(expression: RegExp, folders: readonly string[]): string[] {
  return folders
    .flatMap(folder =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => `${folder}/${path}`),
    )
    .filter(path => /\.tsx?$/.test(path) && expression.test(readFileSync(join(ROOT, path), 'utf8')))
    .sort()
}

test('a regular expression is built only where nothing from outside can make it slow', () => {
  const builders = filesWith(/new RegExp\(|\bRegExp\(|node:vm/, ['server', 'renderer', 'electron'])
  expect(builders).toEqual(BUILT_FROM_CONSTANTS_OR_LITERALS)
})

test('no time limit of the service can be collected before it ends', () => {
  // The client runs in browsers too, and refers to its limit for as long as it waits.
  expect(filesWith(/AbortSignal\.timeout\(/, ['server', 'electron'])).toEqual(['server/client/client.ts'])
})
