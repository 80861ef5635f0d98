import { expect, it } from 'vitest'
import { refusalOf } from '../../server/folder/unsafe-path.ts'

const HOSTILE = [
  '',
  '/etc/passwd',
  '../a',
  'a/../../b',
  'a//b',
  './a',
  'C:/a',
  'a\\b',
  'a\nb',
  'a\0b',
  '.git/config',
  'sub/.GIT/hooks/x',
  '.git ./x',
  '.git::$INDEX_ALLOCATION/x',
  'GIT~1/config',
  '.g\u200cit/config',
  'x'.repeat(5_000),
]

it.each(HOSTILE)('a sandbox cannot have %j written', path => {
  expect(refusalOf(path, '100644')).not.toBeNull()
})

it.each(['a.txt', '.gitignore', 'a/.github/b', 'gitx', 'a b/ü.txt', '...', '-rf'])('%j is an ordinary name', path => {
  expect(refusalOf(path, '100644')).toBeNull()
})

it.each(['120000', '160000', '040000', '100777'])('what has the mode %s is no ordinary file', mode => {
  expect(refusalOf('a', mode)).not.toBeNull()
})
