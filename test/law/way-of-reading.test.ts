import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const RENDERER = join(import.meta.dirname, '..', '..', 'renderer')

describe('the way of reading', () => {
  /** What is named by left and right, but for what is in the middle. */
  const PHYSICAL =
    /(?<![\w-])-?(?:[mp][lr]|scroll-[mp][lr]|left|right)-(?!1\/2)[\w[]|(?<![\w-])(?:border-[lr]|rounded-(?:[lr]|[tb][lr])|text-(?:left|right)|float-(?:left|right))(?![\w])/

  test('names the edges of everything in the window', () => {
    const found = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.tsx'))
      .filter(file => PHYSICAL.test(readFileSync(join(RENDERER, file), 'utf8')))
    expect(found).toEqual([])
  })

  test('is missed wherever it would be', () => {
    const offences = ['"pl-2"', '"flex -ml-1"', "'border-l'", '"text-left"', '"rounded-tl-md"', '"hover:right-0"']
    expect(offences.filter(text => !PHYSICAL.test(text))).toEqual([])
    const fine = [
      '"left-1/2"',
      '"ps-2"',
      '"border-line"',
      '"text-line"',
      "'panel-left-open'",
      '"px-2 place-items-start"',
    ]
    expect(fine.filter(text => PHYSICAL.test(text))).toEqual([])
  })
})
