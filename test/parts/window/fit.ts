import type { DesktopApp } from './desktop-app.ts'

/**
 * What of a page does not fit: it or a part of it scrolls sideways, or the words of a button, a tab or a heading are cut off or
 * stand beyond it. Places that are made to scroll or to be cut (code, paths, titles that a person gave) are left out.
 */
export function unfitting(page: DesktopApp['page']): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 1
    const found = new Set<string>()
    const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const wordsOf = (element: Element) => (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60)
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.add('the page scrolls sideways')
    for (const element of document.querySelectorAll('main, main *')) {
      const { overflowX, overflowY } = getComputedStyle(element)
      // What scrolls up and down alone is given the other direction by CSS.
      if (overflowX !== 'auto' || overflowY !== 'auto' || !seen(element)) continue
      if (element.closest('pre, code, .cm-editor, .xterm, [role="tablist"], textarea')) continue
      if (element.scrollWidth > element.clientWidth + SLACK) found.add(`scrolls sideways: ${wordsOf(element)}`)
    }
    const NAMED = 'button, [role="tab"], [role="combobox"], th, h1, h2, h3, legend, label, dt'
    for (const element of document.querySelectorAll(NAMED)) {
      if (!seen(element) || element.closest('.sr-only, [title], nav, code')) continue
      if (element.querySelector('code, [title], bdi, .font-mono')) continue
      const box = element.getBoundingClientRect()
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement
        if (!holder || (node.textContent ?? '').trim() === '' || !seen(holder) || holder.closest('.sr-only')) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const words = range.getBoundingClientRect()
        const { overflowX } = getComputedStyle(holder)
        const isCut = overflowX !== 'visible' && holder.scrollWidth > holder.clientWidth + SLACK
        const isBeyond = words.left < box.left - SLACK || words.right > box.right + SLACK
        if (isCut || isBeyond) found.add(`${isCut ? 'cut' : 'beyond its place'}: ${wordsOf(element)}`)
      }
    }
    return [...found]
  })
}

/** Each text that the page shows, and the names and hints that are read out. */
export function shownTexts(page: DesktopApp['page']): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.add((node.textContent ?? '').trim())
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [aria-description]')) {
      for (const name of ['aria-label', 'placeholder', 'title', 'aria-description'])
        texts.add((element.getAttribute(name) ?? '').trim())
    }
    return [...texts].filter(text => text !== '')
  })
}
