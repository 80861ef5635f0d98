import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../renderer/pages/conversation/timeline/message/Markdown.tsx'

const shown = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

/** Without what only stands between blocks. */
const apart = (html: string) => html.replaceAll(/>\s+</g, '><')

/** All of the text at once, where the window adds nothing to its elements. */
function whole(text: string): string {
  const prose = renderToStaticMarkup(
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]}>
      {text}
    </ReactMarkdown>,
  )
  return `<div dir="auto" class="prose">${prose}</div>`
}

const BLOCKS = [
  'A sentence with *emphasis*,\nand a second line.',
  '# A heading',
  'Another one\n===',
  '- one\n- two\n\n  still two\n  - deeper',
  '3. three\n4. four',
  '  - indented\n  - as a whole',
  '> quoted\nlazily\n\n> quoted again',
  '---',
  '<p>raw</p>',
  '- [',
  '* * *',
  '~~gone~~ and **strong',
]

describe('Markdown, block by block', () => {
  it('looks as all of it at once', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...BLOCKS), fc.constantFrom('\n', '\n\n', '\n\n\n')), { maxLength: 8 })
      .map(parts => parts.flat().join(''))
    fc.assert(
      fc.property(text, given => {
        expect(apart(shown(given))).toBe(apart(whole(given)))
      }),
      { numRuns: 300 },
    )
  })

  it('finds what another block defines', () => {
    expect(shown('See [the grammar][g].\n\nMore.\n\n[g]: https://example.org/grammar')).toContain(
      'href="https://example.org/grammar"',
    )
    expect(shown('> See [g].\n\n- More\n\n  > [g]: https://example.org/grammar')).toContain(
      'href="https://example.org/grammar"',
    )
    expect(shown('A claim.[^1]\n\n[^1]: Its source.')).toContain('Its source.')
  })

  it('finds what a list defines', () => {
    expect(shown('See [1].\n\nReferences:\n\n- [1]: https://example.org')).toContain('href="https://example.org"')
    expect(shown('A claim.[^n]\n\n* [^n]: Its source.')).toContain('Its source.')
  })

  it('keeps no indentation of a fence in its code', () => {
    expect(shown('Before\n\n  ```\n  code\n  ```\n\nAfter')).toContain('<code>code\n</code>')
  })

  it('keeps code that is only indented', () => {
    expect(shown('Before\n\n    code\n\nAfter')).toContain('<code>code\n</code>')
  })

  it('is the same when it is shown again', () => {
    const text = 'One\n\n- two\n\n`three`'
    expect(shown(text)).toBe(shown(text))
  })
})
