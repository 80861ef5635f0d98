import { expect, test } from 'vitest'
import { markdownOf } from '../../server/browser/reading/markdown.ts'
import type { PageNode } from '../../server/browser/reading/snapshot.ts'
import { processorTime } from '../parts/value/growth-of-time.ts'

const STYLE = {
  display: 'block',
  visibility: '',
  opacity: '',
  cursor: '',
  'white-space-collapse': '',
  'pointer-events': '',
}

function node(name: string, children: PageNode[], text = ''): PageNode {
  const box = { x: 0, y: 0, width: 1, height: 1 }
  const state = { listens: false, value: undefined, checked: false, selected: false }
  return { name, backendNodeId: 1, text, attributes: { href: 'x' }, box, style: STYLE, ...state, children }
}

function around(name: string, levels: number, inner: PageNode): PageNode {
  let outer = inner
  for (let level = 0; level < levels; level++) outer = node(name, [outer])
  return outer
}

const LINES = node('pre', [node('#text', [], 'a\n'.repeat(100_000))])

test.each([
  ['quotes around many lines', around('blockquote', 390, LINES)],
  ['lists around many lines', around('ul', 190, node('li', [LINES]))],
  ['links around many lines', around('a', 390, LINES)],
  ['a row of blanks', node('pre', [node('#text', [], `${' '.repeat(300_000)}x`)])],
  ['a row of empty lines', node('div', [node('pre', [node('#text', [], `x${'\n'.repeat(300_000)}x`)])])],
  ['more text than anybody reads', node('div', [node('#text', [], 'a '.repeat(3_000_000))])],
])('a page made of %s is read in time and in part', (_, page) => {
  let text = ''
  const took = processorTime(() => {
    text = markdownOf(page, { links: true, base: 'http://a.example/' })
  })
  expect(text.length).toBeLessThan(4_000_000)
  expect(took).toBeLessThan(5_000)
})

test('quotes and lists that a person would write are set off', () => {
  const item = node('li', [node('#text', [], 'one')])
  expect(markdownOf(around('blockquote', 2, node('ul', [item, item])), { links: false, base: '' })).toBe(
    '> > * one\n> > * one',
  )
})
