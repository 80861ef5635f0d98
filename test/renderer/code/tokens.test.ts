import { describe, expect, it } from 'vitest'
import { pieces } from '../../../renderer/ui/code/CodeText.tsx'
import { GRAMMARS } from '../../../renderer/ui/code/grammars.ts'
import { KINDS } from '../../../renderer/ui/code/kinds.ts'
import { type Language, languageNamed, languageOf } from '../../../renderer/ui/code/languages.ts'
import { tokensOf } from '../../../renderer/ui/code/tokens.ts'

async function read(text: string, language: Language): Promise<string[][]> {
  const lines = await tokensOf(text, language)
  return text.split('\n').map((line, index) => {
    const cut = pieces(line, lines[index] ?? [], [])
    return cut.flatMap(({ from, to, kind }) =>
      kind === 0 ? [] : [`${KINDS[kind - 1]} ${line.slice(from, to).trim()}`],
    )
  })
}

describe('the tokens of code', () => {
  it('are told by the grammar of its language, over all of its lines', async () => {
    const text = '/* one\n two */ const total: number = add(1, "x")'
    const [first, second] = await read(text, 'typescript')
    expect(first).toEqual(['comment /* one'])
    expect(second).toEqual(
      expect.arrayContaining(['comment two */', 'keyword const', 'function add', 'number 1', 'string "x"']),
    )
  })

  it('cover every line whole, whatever the text is', async () => {
    const texts = ['', '\n\n', '`${`${', 'a\r\nb\r\n', '\u0000\u202e', '"'.repeat(500), `x = "${'a'.repeat(5_000)}"`]
    for (const text of texts) {
      const lines = await tokensOf(text, 'javascript')
      const cut = text.split('\n').map((line, index) =>
        pieces(line, lines[index] ?? [], [])
          .map(({ from, to }) => line.slice(from, to))
          .join(''),
      )
      expect(cut.join('\n')).toBe(text)
    }
  })

  it('can be made in every language that is offered', async () => {
    for (const language of Object.keys(GRAMMARS) as Language[]) {
      const lines = await tokensOf('# a "b" 1\n// c\n<d e="f">g</d>\nif x: return 1\n', language)
      expect(lines.length, language).toBeGreaterThan(3)
      expect(
        lines.flat().some(([, kind]) => kind > 0),
        language,
      ).toBe(true)
    }
  })
})

describe('a language', () => {
  it.each([
    ['src/a.test.TS', 'typescript'],
    ['Dockerfile', 'docker'],
    ['deep/Makefile', 'make'],
    ['.editorconfig', 'ini'],
    ['a/b.py', 'python'],
    ['LICENSE', null],
    ['a.unknown', null],
    ['.', null],
    ['', null],
  ])('of the file %s is %s', (path, language) => expect(languageOf(path)).toBe(language))

  it('is found by the word behind a fence', () => {
    expect(languageNamed('JavaScript')).toBe('javascript')
    expect(languageNamed('__proto__')).toBeNull()
  })
})

describe('a line', () => {
  it('is cut where a token or a stretch ends, and what has changed is one piece', () => {
    const stretches = [
      { text: 'let a', changed: false },
      { text: ' = 1', changed: true },
      { text: ';', changed: false },
    ]
    expect(
      pieces(
        'let a = 1;',
        [
          [3, 4],
          [8, 0],
          [9, 3],
          [10, 0],
        ],
        stretches,
      ),
    ).toEqual([
      { from: 0, to: 3, kind: 4, changed: false },
      { from: 3, to: 5, kind: 0, changed: false },
      { from: 5, to: 9, kind: 0, changed: true },
      { from: 9, to: 10, kind: 0, changed: false },
    ])
  })
})
