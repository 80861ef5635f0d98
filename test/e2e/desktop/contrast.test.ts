import { expect } from 'vitest'
import { it as test } from '../../fixtures/window.ts'

const GROUNDS = [
  'canvas',
  'surface',
  'raised',
  'sunken',
  'hover',
  'selected',
  'accent-wash',
  'wait-wash',
  'good-wash',
  'bad-wash',
]
const TEXTS = ['ink', 'soft', 'faint', 'accent', 'work', 'wait', 'good', 'bad', 'stuck', 'limit', 'rest']
const PAIRS = [
  ...TEXTS.flatMap(text => GROUNDS.map(ground => [text, ground] as const)),
  ...['accent-fill', 'accent-strong', 'bad-fill'].map(ground => ['on-accent', ground] as const),
]

test.for(['light', 'dark'] as const)(
  'who asks for more contrast gets 7:1 everywhere (%s)',
  async (scheme, { desktop }) => {
    const { page } = desktop
    await page.emulateMedia({ colorScheme: scheme, contrast: 'more' })
    const pairs = await page.evaluate(asked => {
      const probe = document.body.appendChild(document.createElement('div'))
      const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
      const found = asked.map(([text, ground]) => {
        probe.style.color = `var(--color-${text})`
        probe.style.backgroundColor = `var(--color-${ground})`
        const { color, backgroundColor } = getComputedStyle(probe)
        return { name: `${text} on ${ground}`, text: channels(color), ground: channels(backgroundColor) }
      })
      probe.remove()
      return found
    }, PAIRS)
    await page.emulateMedia({ colorScheme: null, contrast: null })
    expect(pairs).toHaveLength(113)
    const weak = pairs.filter(({ text, ground }) => contrast(text, ground) < 7).map(({ name }) => name)
    expect(weak).toEqual([])
  },
)

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: number[], other: number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map(channel => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
