import { z } from 'zod'
import type { Tab } from '../tab.ts'

/** In page coordinates of the outermost document. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** One node of the page as it is shown: frames and shadow trees stand where they are seen. */
export interface PageNode {
  /** In small letters; `#text` and `#document`. */
  name: string
  backendNodeId: number
  text: string
  attributes: Record<string, string>
  /** Absent when it is not rendered. */
  box: Box | undefined
  style: Record<(typeof STYLES)[number], string>
  /** It listens to clicks. */
  listens: boolean
  /** What a field holds at this moment. */
  value: string | undefined
  checked: boolean
  selected: boolean
  children: PageNode[]
}

export interface PageSnapshot {
  root: PageNode
  /** The part that is in view, in the same coordinates. */
  scrollY: number
  contentHeight: number
}

const STYLES = ['display', 'visibility', 'opacity', 'cursor', 'white-space-collapse', 'pointer-events'] as const

/** Beyond this a page is a data set, and nobody reads it element by element. */
const MAX_NODES = 150_000

const numbers = z.array(z.number())
const rareStrings = z.object({ index: numbers, value: numbers })
const rareFlags = z.object({ index: numbers })
const documentSnapshot = z.object({
  scrollOffsetX: z.number().default(0),
  scrollOffsetY: z.number().default(0),
  contentHeight: z.number().default(0),
  nodes: z.object({
    parentIndex: numbers,
    nodeName: numbers,
    nodeValue: numbers,
    backendNodeId: numbers,
    attributes: z.array(numbers),
    textValue: rareStrings,
    inputValue: rareStrings,
    inputChecked: rareFlags,
    optionSelected: rareFlags,
    contentDocumentIndex: rareStrings,
    isClickable: rareFlags,
  }),
  layout: z.object({ nodeIndex: numbers, styles: z.array(numbers), bounds: z.array(numbers) }),
})
const captured = z.object({ documents: z.array(documentSnapshot), strings: z.array(z.string()) })
type Captured = z.output<typeof captured>
type DocumentSnapshot = Captured['documents'][number]

/** @throws BrowserProblem, CommandRefused, the signal's reason */
export async function takeSnapshot(tab: Tab, signal: AbortSignal): Promise<PageSnapshot> {
  const reply = await tab.send('DOMSnapshot.captureSnapshot', { computedStyles: STYLES }, { signal })
  return readSnapshot(captured.parse(reply))
}

export function readSnapshot(given: z.input<typeof captured>): PageSnapshot {
  const all = captured.parse(given)
  const [main] = all.documents
  if (!main) return { root: emptyNode(), scrollY: 0, contentHeight: 0 }
  const trees = all.documents.map(document => readDocument(document, all.strings))
  joinFrames(all, trees)
  const root = trees[0]?.[0] ?? emptyNode()
  return { root, scrollY: main.scrollOffsetY, contentHeight: main.contentHeight }
}

/** @returns the nodes by their index in the document; the first is the document */
function readDocument({ nodes, layout }: DocumentSnapshot, strings: readonly string[]): PageNode[] {
  const word = (index: number | undefined) => (index === undefined || index < 0 ? '' : (strings[index] ?? ''))
  const list = nodes.nodeName.slice(0, MAX_NODES).map(
    (name, index): PageNode => ({
      ...emptyNode(),
      name: word(name).toLowerCase(),
      backendNodeId: nodes.backendNodeId[index] ?? 0,
      text: word(nodes.nodeValue[index]),
      attributes: pairs((nodes.attributes[index] ?? []).map(word)),
    }),
  )
  for (const [index, node] of list.entries()) {
    const parent = nodes.parentIndex[index] ?? -1
    // A parent comes before its children, so that there are no circles, whoever wrote this.
    if (parent < index) list[parent]?.children.push(node)
  }
  for (const [index, at] of layout.nodeIndex.entries()) {
    const node = list[at]
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[index] ?? []
    if (!node) continue
    node.box = { x, y, width, height }
    const styles = (layout.styles[index] ?? []).map(word)
    for (const [which, name] of STYLES.entries()) node.style[name] = styles[which] ?? ''
  }
  for (const rare of [nodes.textValue, nodes.inputValue]) {
    for (const [which, at] of rare.index.entries()) setField(list[at], 'value', word(rare.value[which]))
  }
  for (const at of nodes.inputChecked.index) setField(list[at], 'checked', true)
  for (const at of nodes.optionSelected.index) setField(list[at], 'selected', true)
  for (const at of nodes.isClickable.index) setField(list[at], 'listens', true)
  return list
}

function setField<Key extends keyof PageNode>(node: PageNode | undefined, key: Key, value: PageNode[Key]): void {
  if (node) node[key] = value
}

/** Documents of frames hang in the element that shows them, and their boxes are moved to where it is. */
function joinFrames({ documents }: Captured, trees: readonly PageNode[][]): void {
  const joined = new Set([0])
  for (const [which, { nodes }] of documents.entries()) {
    for (const [rare, at] of nodes.contentDocumentIndex.index.entries()) {
      const inner = nodes.contentDocumentIndex.value[rare] ?? -1
      const frame = trees[which]?.[at]
      const document = trees[inner]?.[0]
      const scrolled = documents[inner]
      // Each document once: what comes from a sandbox could name one twice, or a frame in itself.
      if (!frame || !document || !scrolled || joined.has(inner) || inner <= which) continue
      joined.add(inner)
      frame.children = [document]
      const { x = 0, y = 0 } = frame.box ?? {}
      for (const node of trees[inner] ?? []) {
        if (frame.box && node.box) move(node.box, x - scrolled.scrollOffsetX, y - scrolled.scrollOffsetY)
        else node.box = undefined
      }
    }
  }
}

function move(box: Box, x: number, y: number): void {
  box.x += x
  box.y += y
}

function pairs(flat: readonly string[]): Record<string, string> {
  const entries = flat.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? '']] : []))
  return Object.fromEntries(entries)
}

function emptyNode(): PageNode {
  const style = {
    display: '',
    visibility: '',
    opacity: '',
    cursor: '',
    'white-space-collapse': '',
    'pointer-events': '',
  }
  return {
    name: '#document',
    backendNodeId: 0,
    text: '',
    attributes: {},
    box: undefined,
    style,
    listens: false,
    value: undefined,
    checked: false,
    selected: false,
    children: [],
  }
}

/** What a person sees of it by itself; its children are asked for themselves. */
export function isVisible({ box, style }: PageNode): boolean {
  return box !== undefined && style.visibility !== 'hidden' && style.visibility !== 'collapse' && style.opacity !== '0'
}
