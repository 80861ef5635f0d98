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

/** As the page does it: cut, then parse the rest. */
function step(growing: GrowingText, text: string) {
  const cut = growing.cut(text)
  const starts = fromMarkdown(cut.rest).children.map(({ position }) => position?.start.offset ?? 0)
  growing.tell({ rest: cut.rest, starts })
  return cut
}

describe('a text that grows', () => {
  it('has at each length the blocks that it has as a whole', () => {
    const growing = new GrowingText()
    for (let length = 1; length <= TEXT.length; length++) {
      const text = TEXT.slice(0, length)
      const { blocks, rest } = step(growing, text)
      expect([...blocks, rest].join('')).toBe(text)
      expect([...blocks, rest].flatMap(topOf)).toEqual(topOf(text))
    }
    expect(step(growing, TEXT).blocks.length).toBeGreaterThan(6)
  })

  it('keeps the blocks that are done, and parses little', () => {
    const growing = new GrowingText()
    const long = `${'A paragraph of some words.\n\n'.repeat(500)}`
    for (const text of [long, `${long}A`]) step(growing, text)
    const first = step(growing, `${long}And`)
    const second = step(growing, `${long}And more`)
    expect(second.blocks).toBe(first.blocks)
    expect(second.rest.length).toBeLessThan(100)
  })

  it('begins anew with another text', () => {
    const growing = new GrowingText()
    step(growing, 'a\n\nb\n\nc')
    step(growing, 'a\n\nb\n\nc\n\nd')
    expect(step(growing, 'x\n\ny')).toEqual({ blocks: [], rest: 'x\n\ny' })
  })
})
