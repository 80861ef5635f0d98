import { clipEnd } from '../../text/clip.ts'
import { interactiveElements, isEditable } from '../acting/interactive.ts'
import { oneLine, visibleText, walk } from '../page-text.ts'
import type { KnownElement } from '../tab.ts'
import { isVisible, type PageNode, type PageSnapshot } from './snapshot.ts'

/** What is further away than this many screens is only counted. */
const SCREENS_AROUND = 1
const MAX_OUTLINE_LENGTH = 30_000
const MAX_NAME_LENGTH = 120
const MAX_TEXT_LENGTH = 400
const MAX_OPTIONS = 30

export interface Outline {
  text: string
  elements: Map<number, KnownElement>
}

interface Line {
  text: string
  element: boolean
  /** Where it is, from the top of the page; undefined goes with what is before it. */
  y: number | undefined
  /** What its last words stand in. */
  parent?: PageNode | undefined
}

/**
 * What is in view and around it, in the order of the page: texts, and the elements with the numbers under which they are
 * used. A star marks what the last state of this document did not show. Numbers count through the whole page.
 */
export function outlineOf(
  { root, scrollY }: PageSnapshot,
  { height, seen, base }: { height: number; seen: ReadonlySet<number>; base: string },
): Outline {
  const used = interactiveElements(root)
  const elements = new Map<number, KnownElement>()
  const names = labels(root)
  const lines: Line[] = []
  walk(root, (node, ancestors) => {
    if (node.style.display === 'none') return false
    if (used.has(node)) {
      const index = elements.size
      elements.set(index, known(node, base))
      const star = seen.size > 0 && !seen.has(node.backendNodeId) ? '*' : ''
      lines.push({
        text: `${star}[${index}] ${describe(node, labelOf(node, ancestors, names))}`,
        element: true,
        y: node.box?.y,
      })
      return holdsMore(node, used)
    }
    addText(node, ancestors.at(-1), lines)
    return true
  })
  return { text: windowed(lines, scrollY, height), elements }
}

function known(node: PageNode, base: string): KnownElement {
  const { name, attributes, backendNodeId } = node
  const href = name === 'a' || name === 'area' ? attributes.href : undefined
  return {
    backendNodeId,
    tag: name,
    type: attributes.type?.toLowerCase() ?? '',
    href: href === undefined ? null : absolute(href, base),
  }
}

function absolute(href: string, base: string): string | null {
  try {
    return new URL(href, base).href
  } catch {
    return null
  }
}

/** What stands in an element was said with it, but for other elements in it. */
function holdsMore(node: PageNode, used: ReadonlySet<PageNode>): boolean {
  let more = false
  walk(node, each => {
    if (each !== node && used.has(each)) more = true
    return !more
  })
  return more
}

function addText(node: PageNode, parent: PageNode | undefined, lines: Line[]): void {
  if (node.name !== '#text' || !isVisible(node) || node.text.trim() === '') return
  const last = lines.at(-1)
  const y = node.box?.y
  // Words of one line, which markup cut into pieces.
  const goesOn = last && !last.element && last.y !== undefined && y !== undefined && Math.abs(last.y - y) < 4
  if (!goesOn) {
    lines.push({ text: node.text, element: false, y, parent })
    return
  }
  const flows = last.parent === parent || [last.parent, parent].some(each => each?.style.display === 'inline')
  last.text += `${flows ? '' : ' '}${node.text}`
  last.parent = parent
}

function windowed(lines: readonly Line[], scrollY: number, height: number): string {
  const top = scrollY - SCREENS_AROUND * height
  const bottom = scrollY + (1 + SCREENS_AROUND) * height
  const above = lines.filter(({ y }) => y !== undefined && y < top)
  const below = lines.filter(({ y }) => y !== undefined && y > bottom)
  const shown = lines.filter(({ y }) => y === undefined || (y >= top && y <= bottom))
  const text = shown.map(line => (line.element ? line.text : clipEnd(oneLine(line.text), MAX_TEXT_LENGTH))).join('\n')
  const cut =
    text.length > MAX_OUTLINE_LENGTH ? `${text.slice(0, MAX_OUTLINE_LENGTH)}\n[… cut: there is more here.]` : text
  return [elisionLine('above', above), cut, elisionLine('below', below)].filter(part => part !== '').join('\n')
}

function elisionLine(where: 'above' | 'below', lines: readonly Line[]): string {
  const elements = lines.filter(({ element }) => element).length
  if (lines.length === 0) return ''
  const toSee = where === 'above' ? 'up' : 'down'
  return `[… further ${where}: ${elements} elements, ${lines.length - elements} lines of text; scroll ${toSee} to see them]`
}

/** Texts of labels, by the id of the field that they are for. */
function labels(root: PageNode): Map<string, string> {
  const found = new Map<string, string>()
  walk(root, node => {
    if (node.name === 'label' && node.attributes.for) found.set(node.attributes.for, visibleText(node, MAX_NAME_LENGTH))
    return true
  })
  return found
}

const SHOWN_ATTRIBUTES = [
  'type',
  'name',
  'role',
  'placeholder',
  'title',
  'href',
  'aria-expanded',
  'aria-selected',
] as const

/** What the page calls a field: with a label for it, or around it. */
function labelOf(node: PageNode, ancestors: readonly PageNode[], names: ReadonlyMap<string, string>): string {
  const named = node.attributes.id === undefined ? undefined : names.get(node.attributes.id)
  if (named || !['input', 'select', 'textarea'].includes(node.name)) return named ?? ''
  const around = ancestors.findLast(({ name }) => name === 'label')
  return around ? visibleText(around, MAX_NAME_LENGTH) : ''
}

function describe(node: PageNode, labelled: string): string {
  const { name, attributes } = node
  const shown = SHOWN_ATTRIBUTES.flatMap(attribute => {
    const value = attributes[attribute]
    return value ? [`${attribute}=${quote(value)}`] : []
  })
  const parts = [...shown, ...stateOf(node)]
  const label = nameOf(node, labelled)
  return `<${name}${parts.map(part => ` ${part}`).join('')}>${label && ` ${label}`}`
}

function nameOf(node: PageNode, labelled: string): string {
  const { name, attributes } = node
  if (attributes['aria-label']) return clipEnd(oneLine(attributes['aria-label']), MAX_NAME_LENGTH)
  if (labelled) return clipEnd(labelled, MAX_NAME_LENGTH)
  if (name === 'input' && ['button', 'submit', 'reset'].includes(attributes.type ?? '')) {
    return clipEnd(oneLine(node.value ?? attributes.value ?? ''), MAX_NAME_LENGTH)
  }
  if (name === 'input' || name === 'select' || name === 'textarea') return ''
  return clipEnd(visibleText(node, MAX_NAME_LENGTH), MAX_NAME_LENGTH)
}

function stateOf(node: PageNode): string[] {
  const { name, attributes, checked, children } = node
  const type = attributes.type?.toLowerCase() ?? ''
  const flags = ['disabled', 'readonly', 'required'].filter(flag => attributes[flag] !== undefined)
  if (checked || attributes['aria-checked'] === 'true') flags.push('checked')
  if (isEditable(attributes)) flags.push('editable')
  if (name === 'select') return [...flags, ...optionsOf(children)]
  const holds = name === 'input' || name === 'textarea'
  if (!holds || ['checkbox', 'radio', 'button', 'submit', 'reset', 'file'].includes(type)) return flags
  const value = node.value ?? attributes.value ?? ''
  if (value === '') return flags
  return [...flags, `value=${type === 'password' ? '"(hidden)"' : quote(value)}`]
}

function optionsOf(children: readonly PageNode[]): string[] {
  const within = children.flatMap(child => (child.name === 'optgroup' ? child.children : [child]))
  const options = within.filter(({ name }) => name === 'option')
  const words = options.map(option => oneLine(option.attributes.label ?? textOf(option)))
  const chosen = options.flatMap((option, index) => (option.selected ? [words[index] ?? ''] : []))
  const more = words.length > MAX_OPTIONS ? [`… ${words.length - MAX_OPTIONS} more`] : []
  return [
    `selected=${quote(chosen.join(' | '))}`,
    `options=${quote([...words.slice(0, MAX_OPTIONS), ...more].join(' | '), 600)}`,
  ]
}

/** Also what is not rendered, as the options of a closed list are. */
function textOf(node: PageNode): string {
  const parts: string[] = []
  walk(node, each => {
    if (each.name === '#text') parts.push(each.text)
    return true
  })
  return parts.join('')
}

function quote(value: string, length = MAX_NAME_LENGTH): string {
  return `"${clipEnd(oneLine(value), length).replaceAll('"', '”')}"`
}
