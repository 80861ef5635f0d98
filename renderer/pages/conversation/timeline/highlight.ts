const NAME = 'find'
const MAX_RANGES = 200

/**
 * Marks words in a row without a change to what is rendered, and brings the first into sight, also within what scrolls by
 * itself, such as a long output.
 */
export function highlightWords(row: Element, words: readonly string[]): void {
  const ranges = rangesOf(row, words)
  CSS.highlights.set(NAME, new Highlight(...ranges))
  const [first] = ranges
  if (first) bringIntoSight(first)
}

export function clearHighlight(): void {
  CSS.highlights.delete(NAME)
}

/** Scrolls whatever it lies in, from the inside out, where it cannot be seen there. */
function bringIntoSight(range: Range): void {
  for (let box = range.startContainer.parentElement; box; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || !SCROLLS.has(getComputedStyle(box).overflowY)) continue
    const { top, bottom } = range.getBoundingClientRect()
    const view = box.getBoundingClientRect()
    if (top < view.top || bottom > view.bottom) box.scrollTop += (top + bottom - view.top - view.bottom) / 2
  }
}

const SCROLLS: ReadonlySet<string> = new Set(['auto', 'scroll'])

function rangesOf(row: Element, words: readonly string[]): Range[] {
  const wanted = words.map(word => word.toLowerCase()).filter(word => word !== '')
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = walker.nextNode(); node && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    // Where the lower case of a text is of another length, its places are no use.
    const text = (node.nodeValue ?? '').toLowerCase()
    if (text.length !== node.nodeValue?.length) continue
    for (const word of wanted) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}
