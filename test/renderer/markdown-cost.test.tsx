import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { diffHunks } from '../../renderer/pages/conversation/timeline/action/diff-lines.ts'
import { PatchDiffs } from '../../renderer/pages/conversation/timeline/action/PatchDiffs.tsx'
import { Markdown } from '../../renderer/pages/conversation/timeline/message/Markdown.tsx'
import { markdownCost } from '../../renderer/state/markdown-cost.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

/** Pieces that a parser of Markdown takes long over where there are very many of them. */
const PIECES = [
  '>',
  '> ',
  '[',
  '*',
  '**a',
  '_a ',
  '- ',
  '1. ',
  '`a',
  '![',
  '[a](',
  '<',
  '<a ',
  '|a',
  '|a|b|\n',
  '~~a',
  '[^a]',
  '[^a]: b\n',
  '[a]: b\n',
  '- a\n',
  '*a_',
  '```\n',
  '&amp;',
  '[![',
  '[x](<',
  '# ',
  'http://a.b ',
  'a@b.c ',
  '\\*',
  'hello ',
  'a\n\n',
]

describe('a message made to hold up the window', () => {
  test.each(PIECES)('%j, over and over, is shown in time', piece => {
    html('warm **up** `it`')
    for (const size of [2_000, 40_000, 1_000_000]) {
      const text = piece.repeat(Math.ceil(size / piece.length))
      let shown = ''
      const took = processorTime(() => {
        shown = html(text)
      })
      expect(shown.length).toBeGreaterThan(0)
      expect([size, took < 3_000]).toEqual([size, true])
    }
  })

  test.each([
    ['100,000 quotes in each other', '>'.repeat(100_000)],
    ['a table of 50,000 rows', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(50_000)}`],
    ['emphasis behind HTML that hides a fence', `<!--\n\`\`\`\n-->\n${'**a'.repeat(10_000)}`],
    ['emphasis behind a fence that its list ends', `1. a\n   \`\`\`\n${'**a'.repeat(10_000)}`],
    ['1 MB of text', 'word '.repeat(200_000)],
  ])('with %s is shown as it was written, and says so', (_, text) => {
    const shown = html(text)
    expect(shown).toContain('shown as it was written')
    expect(shown).not.toContain('<button type="button" tabindex="0">Show formatted')
    expect(shown).not.toContain('<blockquote')
    expect(shown.length).toBeLessThan(400_000)
  })
})

test('a message that is only long can be formatted on request', () => {
  const text = 'A sentence of plain words.\n\n'.repeat(2_000)
  expect(markdownCost(text)).toBe('long')
  expect(html(text)).toContain('Show formatted')
})

test('ordinary answers are formatted, long code blocks among them', () => {
  const code = `\`\`\`ts\n${'const a = b[c] * d || `e`\n'.repeat(1_000)}\`\`\`\n`
  const list = Array.from({ length: 200 }, (_, at) => `${at + 1}. **Item** with \`code\``).join('\n')
  for (const text of ['# Done\n\nAll *good*.', code, list]) expect(markdownCost(text)).toBe('low')
  expect(html(code)).toContain('<pre')
})

test('texts that differ everywhere are shown as replaced as a whole, in words', () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join('\n')
  let hunks: ReturnType<typeof diffHunks> = []
  const took = processorTime(() => {
    hunks = diffHunks(text('before'), text('after'))
  })
  expect(hunks[0]?.header).toContain('shown as replaced')
  expect(hunks[0]?.lines).toHaveLength(40_000)
  expect(took).toBeLessThan(3_000)
})

test('a patch of many files shows the first of them, and says so where a text was not kept', () => {
  const files = Array.from({ length: 300 }, (_, at) => [
    `f${at}.ts`,
    { type: 'update' as const, old_content: 'a', new_content: 'b' },
  ])
  const shown = renderToStaticMarkup(<PatchDiffs changes={Object.fromEntries(files)} />)
  expect(shown).toContain('Show 20 of 280 more files')
  expect(shown).not.toContain('f200.ts')
  const large = renderToStaticMarkup(<PatchDiffs changes={{ 'large.ts': { type: 'update' } }} />)
  expect(large).toContain('too large')
  expect(large).not.toContain('No line differs')
})
