/** More takes seconds to draw, in which the window would do nothing else. */
const MAX_DRAWN = 100_000
const MAX_DEPTH = 500

interface Element {
  readonly children: Element[]
  readonly references: string[]
}

/**
 * Whether an SVG is drawn in little time. A few lines may stand for a thousand million elements, as each of them can refer to others
 * that refer to others in turn.
 */
export function isDrawnSoon(svg: string): boolean {
  const root: Element = { children: [], references: [] }
  const named = new Map<string, Element>()
  const open = [root]
  for (const [, closes, , attributes = '', isEmpty] of svg.matchAll(/<(\/?)([a-z][\w:.-]*)([^<>]*?)(\/?)>/gi)) {
    if (closes) {
      if (open.length > 1) open.pop()
      continue
    }
    const references = [...attributes.matchAll(/(?:url\(\s*['"]?|href\s*=\s*['"])#([^'")\s]+)/g)].map(
      ([, id = '']) => id,
    )
    const element: Element = { children: [], references }
    open.at(-1)?.children.push(element)
    const id = /(?:^|\s)id\s*=\s*['"]([^'"]*)/.exec(attributes)?.[1]
    if (id !== undefined) named.set(id, element)
    if (!isEmpty) open.push(element)
    if (open.length > MAX_DEPTH) return false
  }
  return !/<!ENTITY/i.test(svg) && drawn(root, named, new Map()) <= MAX_DRAWN
}

/** How many elements are drawn for one; what refers to itself is infinitely many. */
function drawn(element: Element, named: ReadonlyMap<string, Element>, known: Map<Element, number>, depth = 0): number {
  const before = known.get(element)
  if (before !== undefined) return before
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY
  known.set(element, Number.POSITIVE_INFINITY)
  const referred = element.references.flatMap(id => named.get(id) ?? [])
  const total = [...element.children, ...referred].reduce((sum, each) => sum + drawn(each, named, known, depth + 1), 1)
  known.set(element, total)
  return total
}
