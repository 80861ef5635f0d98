import { visibleText } from '../page-text.ts'
import { isVisible, type PageNode } from '../reading/snapshot.ts'

const TAGS = new Set(['button', 'select', 'textarea', 'summary', 'input'])
const ROLES = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
])
/** These are often made invisible and drawn by something else, and work all the same. */
const REPLACED = new Set(['checkbox', 'radio', 'file'])

/** Made to be used: it says so itself. */
function isControl({ name, attributes }: PageNode): boolean {
  if (name === 'input') return attributes.type?.toLowerCase() !== 'hidden'
  if (name === 'a' || name === 'area') return attributes.href !== undefined
  if (TAGS.has(name) || ROLES.has(attributes.role ?? '')) return true
  return isEditable(attributes)
}

export function isEditable({ contenteditable }: PageNode['attributes']): boolean {
  return contenteditable !== undefined && contenteditable.toLowerCase() !== 'false'
}

/** It only looks or behaves as if it were to be used: frameworks put listeners on anything. */
function mayBeControl(node: PageNode, parent: PageNode | undefined): boolean {
  const { listens, attributes, style, name } = node
  if (name === 'body' || name === 'html' || name === 'label' || name.startsWith('#')) return false
  if (listens || attributes.onclick !== undefined || Number(attributes.tabindex) >= 0) return true
  return style.cursor === 'pointer' && parent?.style.cursor !== 'pointer'
}

function canBeUsed(node: PageNode): boolean {
  if (node.name === 'input' && REPLACED.has(node.attributes.type?.toLowerCase() ?? '')) return node.box !== undefined
  if (!isVisible(node) || node.style['pointer-events'] === 'none') return false
  const { width = 0, height = 0 } = node.box ?? {}
  return (width > 0 && height > 0) || visibleText(node, 1) !== ''
}

/**
 * The elements that can be used. What merely listens counts where nothing in it does, nor anything around it: the
 * listener of a whole page is no button.
 */
export function interactiveElements(root: PageNode): Set<PageNode> {
  const found = new Set<PageNode>()
  collect(root, { parent: undefined, inside: false, found, depth: 0 })
  return found
}

interface Collecting {
  parent: PageNode | undefined
  /** Whether something around it can be used. */
  inside: boolean
  found: Set<PageNode>
  depth: number
}

const MAX_DEPTH = 400

/** @returns whether there is anything to use in it */
function collect(node: PageNode, { parent, inside, found, depth }: Collecting): boolean {
  if (depth > MAX_DEPTH || node.style.display === 'none') return false
  const usable = canBeUsed(node)
  const control = usable && isControl(node)
  const below = { parent: node, inside: inside || control, found, depth: depth + 1 }
  // A select's options are said with it.
  const children = node.name === 'select' ? [] : node.children
  let any = false
  for (const child of children) any = collect(child, below) || any
  const taken = control || (usable && !inside && !any && mayBeControl(node, parent))
  if (taken) found.add(node)
  return taken || any
}
