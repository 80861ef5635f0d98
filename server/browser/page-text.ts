import { isVisible, type PageNode } from './reading/snapshot.ts'

/** Deeper trees are made to break whoever reads them. */
const MAX_DEPTH = 400

/** Calls `enter` for a node and all below it, in the order of the page; `false` leaves out what is below. */
export function walk(node: PageNode, enter: (node: PageNode, ancestors: readonly PageNode[]) => boolean): void {
  const ancestors: PageNode[] = []
  const visit = (each: PageNode): void => {
    if (ancestors.length > MAX_DEPTH || !enter(each, ancestors)) return
    ancestors.push(each)
    for (const child of each.children) visit(child)
    ancestors.pop()
  }
  visit(node)
}

/** The text of a node that can be seen, as one line. */
export function visibleText(node: PageNode, limit = Number.POSITIVE_INFINITY): string {
  const parts: string[] = []
  let length = 0
  walk(node, each => {
    if (length > limit || each.style.display === 'none' || isSelect(each)) return false
    if (each.name === '#text' && isVisible(each)) {
      parts.push(each.text)
      length += each.text.length
    } else if (each.name === 'img' && isVisible(each)) parts.push(` ${each.attributes.alt ?? ''} `)
    else if (each.style.display !== 'inline') parts.push(' ')
    return true
  })
  return oneLine(parts.join(''))
}

function isSelect({ name }: PageNode): boolean {
  return name === 'select'
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
