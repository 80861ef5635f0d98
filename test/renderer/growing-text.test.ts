import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { GrowingText } from '../../renderer/state/growing-text.ts'

const TEXT = `# One

Two
===

- a
- b

  still b

1. c
> quoted
lazily

\`\`\`ts
const x = 1

const y = 2
\`\`\`
<p>
raw

| a | b |
The end.`

/** What stands at the top level: kinds and texts. */
const topOf = (text: string) =>
  fromMarkdown(text).children.map(({ type, position }) => [
    type,
    text.slice(position?.start.offset, position?.end.offset),
  ])

describe('a text that grows', () => {
  it('has at each length the blocks that it has as a whole', () => {
    const growing = new GrowingText()
    for (let length = 1; length <= TEXT.length; length++) {
      const text = TEXT.slice(0, length)
      const blocks = growing.cut(text)
      expect(blocks.join('')).toBe(text)
      expect(blocks.flatMap(topOf)).toEqual(topOf(text))
    }
    expect(growing.cut(TEXT)).toHaveLength(topOf(TEXT).length)
  })

  it('has the same blocks whether it came in many pieces or at once', () => {
    const growing = new GrowingText()
    for (let length = 7; length < TEXT.length; length += 7) growing.cut(TEXT.slice(0, length))
    expect(growing.cut(TEXT)).toEqual(new GrowingText().cut(TEXT))
  })

  it('keeps the blocks that are done when more comes', () => {
    const growing = new GrowingText()
    const before = growing.cut('a\n\n- b\n\n```\nc\n')
    const after = growing.cut('a\n\n- b\n\n```\nc\n\nd\n```\ne')
    expect(before).toEqual(['a\n\n', '- b\n\n', '```\nc\n'])
    expect(after).toEqual(['a\n\n', '- b\n\n', '```\nc\n\nd\n```\n', 'e'])
  })

  it('gives the same for the same text', () => {
    const growing = new GrowingText()
    expect(growing.cut(TEXT)).toEqual(growing.cut(TEXT))
    expect(growing.cut('')).toEqual([''])
  })

  it('begins anew with another text', () => {
    const growing = new GrowingText()
    growing.cut('a\n\nb\n\nc')
    expect(growing.cut('x\n\ny')).toEqual(['x\n\n', 'y'])
  })
})
