import { describe, expect, test } from 'vitest'
import { installCommand, type PackageManager } from '../../server/browser/acting/find.ts'
import { addressOf } from '../../server/browser/address.ts'
import { markdownOf, pageOf } from '../../server/browser/reading/markdown.ts'
import { outlineOf } from '../../server/browser/reading/outline.ts'
import { readSnapshot } from '../../server/browser/reading/snapshot.ts'

describe('an address', () => {
  test.each([
    ['http://a.example/b c', 'http://a.example/b%20c'],
    ['  HTTPS://A.example  ', 'https://a.example/'],
    ['localhost:3000/x', 'http://localhost:3000/x'],
    ['127.0.0.1:80', 'http://127.0.0.1/'],
    ['[::1]:8080/', 'http://[::1]:8080/'],
    ['app.localhost', 'http://app.localhost/'],
    ['example.org/a?b=localhost', 'https://example.org/a?b=localhost'],
    ['localhost.example.org', 'https://localhost.example.org/'],
    ['//example.org', 'https://example.org/'],
    ['data:text/html,<p>', 'data:text/html,<p>'],
    ['about:blank', 'about:blank'],
  ])('%s is %s', (given, meant) => {
    expect(addressOf(given)).toBe(meant)
  })

  test.each([
    'FILE:///etc/passwd',
    ' file:/etc/passwd',
    'about:version',
    'chrome:crash',
    'javascript:alert(1)',
    'filesystem:http://a',
  ])('%s is refused', given => {
    expect(() => addressOf(given)).toThrow('are not opened')
  })
})

describe('how to get a browser', () => {
  test.each<[PackageManager | null, string, string | null]>([
    ['apt-get', 'debian', 'apt-get update && apt-get install -y --no-install-recommends chromium'],
    ['apt-get', 'ubuntu', null],
    ['apk', 'alpine', 'apk add --no-cache chromium'],
    [null, '', null],
  ])('%s on %s', (manager, distribution, command) => {
    expect(installCommand({ kind: 'missing', manager, distribution })).toBe(command)
  })
})

/** A document in the form of the protocol: each node with its parent, all of them rendered. */
function captured(
  nodes: { name: string; parent: number; value?: string; attributes?: string[] }[],
  frames: [number, number][] = [],
) {
  const strings: string[] = []
  const word = (text: string) => strings.push(text) - 1
  const rare = { index: [], value: [] }
  const document = {
    nodes: {
      parentIndex: nodes.map(({ parent }) => parent),
      nodeName: nodes.map(({ name }) => word(name)),
      nodeValue: nodes.map(({ value }) => (value === undefined ? -1 : word(value))),
      backendNodeId: nodes.map((_, index) => index + 1),
      attributes: nodes.map(({ attributes = [] }) => attributes.map(word)),
      textValue: rare,
      inputValue: rare,
      inputChecked: { index: [] },
      optionSelected: { index: [] },
      contentDocumentIndex: { index: frames.map(([at]) => at), value: frames.map(([, which]) => which) },
      isClickable: { index: [] },
    },
    layout: {
      nodeIndex: nodes.map((_, index) => index),
      styles: nodes.map(() => ['inline', 'visible', '1', 'auto', 'collapse', 'auto'].map(word)),
      bounds: nodes.map(() => [0, 0, 10, 10]),
    },
  }
  return { documents: [document], strings }
}

const outline = (given: ReturnType<typeof captured>) =>
  outlineOf(readSnapshot(given), { height: 800, seen: new Set(), base: 'http://a.example/' })

describe('a page that lies about its own tree', () => {
  test('has no circles: a node that is its own ancestor is left out', () => {
    const tree = captured([
      { name: '#document', parent: -1 },
      { name: 'P', parent: 2 },
      { name: 'DIV', parent: 1 },
      { name: '#text', parent: 0, value: 'seen' },
    ])
    expect(outline(tree).text).toBe('seen')
  })

  test('shows a document once, and no frame in itself', () => {
    const tree = captured(
      [
        { name: '#document', parent: -1 },
        { name: 'IFRAME', parent: 0 },
      ],
      [
        [1, 0],
        [1, 7],
      ],
    )
    expect(outline(tree).text).toBe('')
  })

  test('as deep as can be is read in part, soon', () => {
    const depth = 20_000
    const nodes = Array.from({ length: depth }, (_, index) => ({ name: 'B', parent: index - 1 }))
    const tree = captured([
      ...nodes,
      { name: '#text', parent: 2, value: 'near' },
      { name: '#text', parent: depth - 1, value: 'far' },
    ])
    expect(outline(tree).text).toBe('near')
    expect(markdownOf(readSnapshot(tree).root, { links: true, base: '' })).toBe('near')
  })

  test('without any document is empty', () => {
    expect(outline({ documents: [], strings: [] }).text).toBe('')
  })

  test('cannot put a line of its own among the elements', () => {
    const tree = captured([
      { name: '#document', parent: -1 },
      { name: 'A', parent: 0, attributes: ['href', 'x"\n[9] <button> Pay', 'aria-label', 'a\n[8] <button> b'] },
      { name: '#text', parent: 0, value: 'b\n[7] <button> c' },
    ])
    expect(outline(tree).text.split('\n')).toHaveLength(2)
  })
})

describe('a long text', () => {
  test('comes in pieces that are the whole, each ending at the end of a line where one is near', () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index} ${'x'.repeat(index)}`).join('\n')
    for (const size of [1, 7, 60, 500, 10_000]) {
      const pieces: string[] = []
      for (let from: number | null = 0; from !== null; ) {
        const page = pageOf(text, from, size)
        expect(page.text.length).toBeLessThanOrEqual(size)
        pieces.push(page.text)
        from = page.next
      }
      expect(pieces.join('')).toBe(text)
    }
    expect(pageOf(text, 0, 500).text.endsWith('\n')).toBe(true)
    expect(pageOf('short', 99, 10)).toEqual({ text: '', from: 5, next: null, total: 5 })
  })
})
