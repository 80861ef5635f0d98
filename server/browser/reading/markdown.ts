import { BOUNDS } from '../../domain/bounds.ts'
import { oneLine } from '../page-text.ts'
import { isVisible, type PageNode } from './snapshot.ts'

const MAX_DEPTH = 400
const HEADINGS: Readonly<Record<string, string>> = {
  h1: '#',
  h2: '##',
  h3: '###',
  h4: '####',
  h5: '#####',
  h6: '######',
}
const BLOCKS = /^(block|flex|grid|list-item|table|flow-root|table-row|table-caption)/
/** Not text of the page, or shown in another way. */
const SKIPPED_TAGS = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'canvas',
  'video',
  'audio',
  'object',
  'head',
])

interface Writing {
  links: boolean
  base: string
  depth: number
  /** Of lists and quotes around it. */
  nesting: number
  pre: boolean
  /** Characters of text that may still come. */
  room: { left: number }
}

/** Lists and quotes further inside each other are not set off any more: each line would begin with all of them. */
const MAX_NESTING = 12

/** The text of a page that can be seen, in the order of the page. @param base the page's own address */
export function markdownOf(root: PageNode, { links, base }: { links: boolean; base: string }): string {
  const room = { left: BOUNDS.pageText.limit }
  return blocks(root, { links, base, depth: 0, nesting: 0, pre: false, room })
    .split('\n')
    .map(withoutBlankEnd)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Not a regular expression, which would look at a row of blanks again from each of them. */
function withoutBlankEnd(line: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(0, end)
}

/** A node as text, with an empty line around what stands for itself. */
function blocks(node: PageNode, writing: Writing): string {
  if (writing.depth > MAX_DEPTH || SKIPPED_TAGS.has(node.name) || node.style.display === 'none') return ''
  const below = { ...writing, depth: writing.depth + 1 }
  const inner = () => childrenOf(node, below)
  const heading = HEADINGS[node.name]
  if (heading) return asBlock(`${heading} ${oneLine(inner())}`)
  switch (node.name) {
    case '#text':
      return isVisible(node) ? textOf(node, writing) : ''
    case 'br':
      return '\n'
    case 'hr':
      return asBlock('---')
    case 'img':
      return isVisible(node) && node.attributes.alt ? `![${oneLine(node.attributes.alt)}]` : ''
    case 'pre':
      return asBlock(`\`\`\`\n${withoutNewlinesBehind(childrenOf(node, { ...below, pre: true }))}\n\`\`\``)
    case 'a':
      return linked(node, inner(), writing)
    case 'ul':
    case 'ol':
      if (writing.nesting >= MAX_NESTING) return asBlock(inner())
      return asBlock(listOf(node, { ...below, nesting: writing.nesting + 1 }))
    case 'blockquote':
      if (writing.nesting >= MAX_NESTING) return asBlock(inner())
      return asBlock(
        childrenOf(node, { ...below, nesting: writing.nesting + 1 })
          .trim()
          .replace(/^/gm, '> '),
      )
    case 'table':
      return asBlock(tableOf(node, below))
    case 'input':
    case 'textarea':
    case 'select':
      return fieldOf(node)
    case 'iframe':
    case 'frame':
      return asBlock(inner())
    default:
      return BLOCKS.test(node.style.display) ? asBlock(inner()) : inner()
  }
}

function childrenOf(node: PageNode, writing: Writing): string {
  return node.children.map(child => blocks(child, writing)).join('')
}

function asBlock(text: string): string {
  return text.trim() === '' ? '' : `\n\n${withoutNewlinesAround(text)}\n\n`
}

function withoutNewlinesAround(text: string): string {
  let start = 0
  while (text[start] === '\n') start++
  return withoutNewlinesBehind(text.slice(start))
}

function withoutNewlinesBehind(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return text.slice(0, end)
}

function textOf({ text: whole, style }: PageNode, { pre, room }: Writing): string {
  const text = whole.slice(0, room.left)
  room.left -= text.length
  const keeps = pre || style['white-space-collapse'].startsWith('preserve')
  return keeps ? text : text.replace(/\s+/g, ' ')
}

/** What is longer is no label, but a part of the page that can be clicked. */
const MAX_LABEL_LENGTH = 10_000

function linked({ attributes }: PageNode, inner: string, { links, base }: Writing): string {
  if (inner.length > MAX_LABEL_LENGTH) return inner
  const label = oneLine(inner)
  if (!links || !attributes.href || label === '') return inner
  try {
    return `[${label}](${new URL(attributes.href, base).href})`
  } catch {
    return inner
  }
}

function listOf(node: PageNode, writing: Writing): string {
  const items = node.children.filter(({ name, style }) => name === 'li' && style.display !== 'none')
  return items
    .map((item, index) => {
      const mark = node.name === 'ol' ? `${index + 1}. ` : '* '
      const text = childrenOf(item, writing)
        .trim()
        .replace(/\n{2,}/g, '\n')
      return mark + text.replace(/\n/g, `\n${' '.repeat(mark.length)}`)
    })
    .join('\n')
}

/** Rows as lines with bars. A cell is one line. */
function tableOf(node: PageNode, writing: Writing): string {
  const rows = rowsOf(node, 0).map(row =>
    row.children
      .filter(({ name }) => name === 'td' || name === 'th')
      .map(cell => oneLine(childrenOf(cell, writing)).replaceAll('|', '\\|')),
  )
  const [first, ...rest] = rows.filter(cells => cells.length > 0)
  if (!first) return childrenOf(node, writing)
  // A table of one column is a way to place things.
  if (rows.every(cells => cells.length <= 1)) return childrenOf(node, writing)
  const lines = [first, first.map(() => '---'), ...rest]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function rowsOf(node: PageNode, depth: number): PageNode[] {
  if (depth > 3) return []
  return node.children.flatMap(child => {
    if (child.style.display === 'none') return []
    return child.name === 'tr' ? [child] : /^t(head|body|foot)$/.test(child.name) ? rowsOf(child, depth + 1) : []
  })
}

function fieldOf({ name, attributes, value, children, ...node }: PageNode): string {
  if (!isVisible({ name, attributes, value, children, ...node })) return ''
  const type = attributes.type?.toLowerCase() ?? ''
  if (['hidden', 'password', 'checkbox', 'radio', 'file', 'image'].includes(type)) return ''
  if (name !== 'select') return ` [${oneLine(value ?? attributes.value ?? attributes.placeholder ?? '')}] `
  const chosen = children.filter(({ selected }) => selected)
  return ` [${chosen.map(option => oneLine(option.children.map(({ text }) => text).join(''))).join(', ')}] `
}

export interface ContentPage {
  text: string
  from: number
  /** Where the next page begins; null at the end. */
  next: number | null
  total: number
}

/** A piece of a long text; it ends at the end of a line where there is one near. */
export function pageOf(text: string, from: number, size: number): ContentPage {
  const total = text.length
  const start = Math.min(from, total)
  if (total - start <= size) return { text: text.slice(start), from: start, next: null, total }
  const line = text.lastIndexOf('\n', start + size - 1)
  const end = line > start + size * 0.8 ? line + 1 : start + size
  return { text: text.slice(start, end), from: start, next: end, total }
}
