import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceFile } from './file-rules.ts'
import { BOUND_PREFIXES, PRIVATE_WORDS, privatePhrases, privateWords } from './word-rules.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['server', 'electron', 'renderer', 'build', 'test']
const OWN = ['test/law/word-rules.ts', 'test/law/words.test.ts']

describe('the words of files and identifiers', () => {
  test('are known from the field', () => {
    expect(privateWords(sources())).toEqual([])
  })

  test.each(Object.entries(PRIVATE_WORDS))(
    '"%s" is noticed in the name of a file, a type and a value',
    (word, term) => {
      const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`
      const file = { path: `server/a/${word}-list.ts`, text: '' }
      const type = { path: 'server/a.ts', text: `interface Model${capital} {}` }
      const value = { path: 'server/a.ts', text: `const of = { ${word}Of: 1 }` }
      for (const offence of [file, type, value]) expect(privateWords([offence])).toHaveLength(1)
      expect(privateWords([type])).toEqual([`server/a.ts: Model${capital} → ${term}`])
    },
  )

  test.each(Object.entries(BOUND_PREFIXES))('a bound called %s_… is noticed', (prefix, term) => {
    const offence = { path: 'server/a.ts', text: `const ${prefix}_FILES = 1\nconst ${prefix} = 2` }
    expect(privateWords([offence])).toEqual([
      `server/a.ts: ${prefix}_FILES → ${term}`,
      `server/a.ts: ${prefix} → ${term}`,
    ])
  })

  test('may stand in texts and as a part of another word', () => {
    const text = "const desktop = 'at a desk'\nconst MAX_FILES = 1\nconst atMost = 2"
    expect(privateWords([{ path: 'electron/desktop.ts', text }])).toEqual([])
  })
})

describe('the words of comments', () => {
  test('are plain', () => {
    const product = sources().filter(({ path }) => /^(server|electron|renderer)\//.test(path))
    expect(privatePhrases(product)).toEqual([])
  })

  test.each([
    ['told', '/** Secrets that are never told. */'],
    ['told', '/**\n * What the model is\n * told about it.\n */'],
    ['told to nobody', 'const a = 1 // told to whoever asked'],
    ['hole', '// Each hole is filled.'],
  ])('%s is noticed in %j', (phrase, text) => {
    expect(privatePhrases([{ path: 'server/a.ts', text }])).toEqual([
      expect.stringMatching(`^server/a.ts: ${phrase} → `),
    ])
  })

  test('may be told apart, and stand in code', () => {
    const text = "// They are told apart by their ids.\nconst holes = 'It was told at https://was.told'"
    expect(privatePhrases([{ path: 'server/a.ts', text }])).toEqual([])
  })
})

/** Every source of ours; folders named `data` hold what was recorded, not written. */
function sources(): SourceFile[] {
  return FOLDERS.flatMap(folder =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(
      path => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
    .filter(path => /\.([cm]?[jt]s|tsx)$/.test(path) && !/\/(data|resources)\//.test(path) && !OWN.includes(path))
    .map(path => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }))
}
