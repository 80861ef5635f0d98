import { expect, test } from 'vitest'
import { isDrawnSoon } from '../../../../renderer/state/files/drawing.ts'

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`

test('an ordinary drawing is drawn soon', () => {
  expect(isDrawnSoon(svg('<defs><g id="a"><rect/><rect/></g></defs><use href="#a"/><use xlink:href="#a"/>'))).toBe(true)
  expect(isDrawnSoon(svg('<rect fill="url(#p)"/>'.repeat(10_000)))).toBe(true)
})

test.each([
  ['elements that use others, which use others', ['href="#', '"/>']],
  ['patterns that are filled with patterns', ['fill="url(#', ')"/>']],
])('%s are not drawn', (_, [before = '', after = '']) => {
  const levels = Array.from(
    { length: 9 },
    (_each, n) => `<g id="l${n + 1}">${`<use ${before}l${n}${after}`.repeat(10)}</g>`,
  )
  expect(isDrawnSoon(svg(`<rect id="l0"/>${levels.join('')}<use ${before}l9${after}`))).toBe(false)
})

test('what refers to itself, is too deep, or names its own words is not drawn', () => {
  expect(isDrawnSoon(svg('<g id="a"><use href="#a"/></g>'))).toBe(false)
  expect(isDrawnSoon(svg('<g>'.repeat(10_000)))).toBe(false)
  expect(
    isDrawnSoon(svg(Array.from({ length: 10_000 }, (_, n) => `<use id="u${n}" href="#u${n + 1}"/>`).join(''))),
  ).toBe(false)
  expect(isDrawnSoon('<!DOCTYPE svg [<!ENTITY a "<g/>">]><svg>&a;</svg>')).toBe(false)
})
