import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchExpression, parseQuery } from '../../../server/store/search/query.ts'
import { matchesIn, snippetOf } from '../../../server/store/search/snippet.ts'
import { indexedForm } from '../../../server/store/search/tokens.ts'

/** What a table of full text finds of these texts. */
function tableOf(texts: readonly string[]) {
  const database = new DatabaseSync(':memory:')
  database.exec("CREATE VIRTUAL TABLE found USING fts5(words, content = '', tokenize = 'ascii')")
  for (const text of texts) database.prepare('INSERT INTO found (words) VALUES (?)').run(indexedForm(text))
  const select = database.prepare('SELECT rowid FROM found WHERE found MATCH ?')
  return (query: string): boolean => {
    const expression = matchExpression(parseQuery(query), [])
    return expression !== undefined && select.all(expression).length > 0
  }
}

const FOUND: readonly [text: string, query: string, isFound: boolean][] = [
  ['The parser fails', 'parser', true],
  ['The parser fails', 'PARS', true],
  ['The parser fails', 'pars fails', false],
  ['The parser fails', 'fails pars', true],
  ['The parser fails', 'pars ', false],
  ['The parser fails', '"parser fails"', true],
  ['The parser fails', '"fails parser"', false],
  ['The parser fails', '"the parser', true],
  ['The parser fails', 'parser -fails', false],
  ['The parser fails', 'parser -"the fails"', true],
  ['The parser fails', '-parser', false],
  ['run --verbose now', '--verbose', true],
  ['src/lib/parser.ts', 'parser.ts', true],
  ['src/lib/parser.ts', 'lib/pars', true],
  ['src/lib/parser.ts', 'src/parser', false],
  ['getUserName()', 'getusername', true],
  ['getUserName()', 'userName', true],
  ['getUserName()', 'user name', true],
  ['getUserName()', '"get user"', true],
  ['parseHTTPResponse', 'http response', true],
  ['user_name_of', 'name', true],
  ['commit adb73903f0', 'adb739', true],
  ['Größe im Café', 'grosse', false],
  ['Größe im Café', 'große cafe', true],
  ['ＦＵＬＬ width', 'full', true],
  ['全文検索の索引', '検索', true],
  ['全文検索の索引', '索', true],
  ['全文検索の索引', '引', true],
  ['全文検索の索引', '検文', false],
  ['データベースを開く', 'ベース', true],
  ['검색어를 찾는다', '색어', true],
  ['ค้นหาข้อความ', 'ข้อความ', true],
  ['mixed 検索engine here', '検索engine', true],
  ['nothing', '"', false],
  ['nothing', '*', false],
  ['a AND b', 'and', true],
  ['x NEAR y', 'NEAR(x y)', false],
]

describe('a query finds a text, or not', () => {
  test.each(FOUND)('%s: %s → %s', (text, query, isFound) => {
    expect(tableOf([text])(query)).toBe(isFound)
  })
})

test('what is found is marked in the text', () => {
  for (const [text, query] of FOUND.filter(([, , isFound]) => isFound)) {
    expect(matchesIn(text, parseQuery(query).terms), `${text}: ${query}`).not.toEqual([])
  }
})

test('no input is refused by SQLite', () => {
  const finds = tableOf(['The parser fails', '全文検索の索引'])
  const hostile = fc.array(
    fc.constantFrom(
      '"',
      '*',
      '(',
      ')',
      '-',
      '^',
      ':',
      '{',
      '}',
      '+',
      'AND',
      'NOT',
      'NEAR',
      '\0',
      '\uE000a',
      '𠮷',
      '\ud800',
      'é',
      ' ',
      'a',
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 500, unit: 'binary' }),
        hostile.map(parts => parts.join('')),
      ),
      query => {
        finds(query)
        snippetOf(query, parseQuery(query).terms)
      },
    ),
  )
})

test('tokens for filters cannot be typed', () => {
  expect(indexedForm('\uE000a1 \uE001b2')).toBe('a1 b2')
  expect(matchExpression(parseQuery('\uE000a1 '), [])).toBe('"a1"')
})

describe('a snippet', () => {
  const long = `${'before '.repeat(100)}the parser${' after'.repeat(100)}`

  test('is the text around the first match, in one line', () => {
    const { text, matches } = snippetOf(long.replace('parser', 'parser\n\tfails'), parseQuery('parser').terms)
    expect(text).toMatch(/^….*the parser {2}fails after.*…$/)
    expect(text.length).toBeLessThanOrEqual(204)
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(['parser'])
  })

  test('marks what it shows, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600, unit: 'binary' }), fc.string({ maxLength: 5 }), (before, after) => {
        const { text, matches } = snippetOf(`${before} needle ${after}`, parseQuery('needle').terms)
        expect(matches.length).toBeGreaterThan(0)
        for (const { start, end } of matches) expect(text.slice(start, end).toLowerCase()).toBe('needle')
      }),
    )
  })
})
