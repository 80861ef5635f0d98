import type { DesktopApp } from './desktop-app.ts'

type Page = DesktopApp['page']

/**
 * Where the system chooses the colours, grounds and shadows are gone.
 * @returns what of the page nobody would see then: shapes that are a ground alone, what is chosen among others, and the focus
 */
export async function unseenInForcedColours(page: Page): Promise<string[]> {
  const shapes = await page.evaluateHandle(() => {
    const paints = (element: Element) => !/^rgba\(.*, 0\)$/.test(getComputedStyle(element).backgroundColor)
    const isShape = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return (
        Math.min(width, height) > 1 &&
        Math.min(width, height) < 40 &&
        element.childNodes.length === 0 &&
        element instanceof HTMLElement &&
        paints(element)
      )
    }
    // A field, a picture and a terminal are no shapes; what only waits for its content is none that says anything.
    const others =
      'input, textarea, td, img, canvas, webview, iframe, .xterm *, .cm-editor *, [role="status"] *, .fixed.inset-0'
    return [...document.body.querySelectorAll('*')].filter(element => !element.matches(others) && isShape(element))
  })
  await page.emulateMedia({ forcedColors: 'active' })
  try {
    return await page.evaluate(given => {
      const describe = (element: Element) => element.outerHTML.replace(/>[\s\S]*/, '>').slice(0, 160)
      const clear = /^rgba\(.*, 0\)$/
      const groundOf = (element: Element | null): string => {
        if (!element) return 'none'
        const { backgroundColor } = getComputedStyle(element)
        return clear.test(backgroundColor) ? groundOf(element.parentElement) : backgroundColor
      }
      const lines = (element: Element, around: Element | null) => {
        const style = getComputedStyle(element)
        const sides = ['top', 'right', 'bottom', 'left'].map(side =>
          style.getPropertyValue(`border-${side}-width`) === '0px'
            ? 'none'
            : style.getPropertyValue(`border-${side}-color`),
        )
        return [...sides, style.outlineStyle === 'none' ? 'none' : style.outlineColor].filter(
          colour => colour !== 'none' && !clear.test(colour) && colour !== groundOf(around),
        )
      }
      const isSeen = (element: Element) =>
        groundOf(element) !== groundOf(element.parentElement) || lines(element, element.parentElement).length > 0
      const unseen = given
        .filter(element => element.isConnected && !isSeen(element))
        .map(element => `a shape without a colour: ${describe(element)}`)

      const appearance = (element: Element) => {
        const { fontWeight, textDecorationLine } = getComputedStyle(element)
        const pictures = [...element.querySelectorAll('svg')].map(({ classList }) => classList.value)
        return JSON.stringify([groundOf(element), lines(element, element), fontWeight, textDecorationLine, pictures])
      }
      // Behind letters the system paints its own ground, unless it is kept from it.
      const canvas = groundOf(document.body)
      for (const element of document.body.querySelectorAll('*')) {
        const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
        if (!hasText || !element.checkVisibility({ visibilityProperty: true })) continue
        const style = getComputedStyle(element)
        const ground = style.getPropertyValue('forced-color-adjust') === 'none' ? groundOf(element) : canvas
        if (style.color === ground) unseen.push(`a text in the colour of its ground: ${describe(element)}`)
      }

      const chosen = [
        ['[role="option"]', '[data-highlighted], [data-selected="true"], [aria-selected="true"]'],
        ['[role="tab"]', '[aria-selected="true"]'],
        ['[role="treeitem"]', '[aria-selected="true"]'],
        ['[role^="menuitem"]', '[data-highlighted]'],
        ['a[href]', '[data-status="active"]'],
        ['button', '[aria-current="true"], [aria-pressed="true"]'],
      ] as const
      for (const [kind, mark] of chosen) {
        for (const element of document.querySelectorAll(kind)) {
          if (!element.matches(mark)) continue
          const list = element.closest(
            '[role="listbox"], [role="tablist"], [role="tree"], [role="menu"], nav, ul, main',
          )
          const others = [...(list?.querySelectorAll(kind) ?? [])].filter(other => !other.matches(mark))
          const other = others.find(({ className }) => className === element.className) ?? others[0]
          if (other && appearance(other) === appearance(element))
            unseen.push(`a choice like the others: ${describe(element)}`)
        }
      }

      const focused = document.activeElement
      const active = document.getElementById(focused?.getAttribute('aria-activedescendant') ?? '') ?? focused
      // In a text the caret shows it, and what only takes the keys of what is in it shows none.
      const shows = 'input, textarea, [contenteditable="true"], body, [tabindex="-1"]'
      if (focused?.matches(`:focus-visible:not(${shows})`) && active && !isSeen(active))
        unseen.push(`a focus that nothing shows: ${describe(focused)}`)
      return unseen
    }, shapes)
  } finally {
    await shapes.dispose()
  }
}
