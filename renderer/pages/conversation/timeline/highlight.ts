const NAME = 'find'
const MAX_RANGES = 200

/**
 * Marks words in a row without a change to what is rendered, and brings the first into sight, also within what scrolls by
 * itself, such as a long output.
 */
export function highlightWords(row: Element, words: readonly string[]): void {
  const ranges = rangesOf(row, words)
  CSS.highlights.set(NAME, new Highlight(...ranges))
  ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
}

export function clearHighlight(): void {
  CSS.highlights.delete(NAME)
}

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
