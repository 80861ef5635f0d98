import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { handedOver, openingOf, openingOfOther, openingRoute } from '../../../electron/opening/start.ts'

const TYPED_IN = resolve('/home/ada')
const SHOP = resolve('/srv/a shop')

test.each([
  [['atelier', '--folder', 'shop'], { folder: resolve('/home/ada/shop') }],
  [['atelier', '--no-sandbox', '--folder', '.'], { folder: TYPED_IN }],
  [['atelier', '--folder=/srv/a b'], { folder: resolve('/srv/a b') }],
  [['atelier', '--folder='], undefined],
  [['atelier', '--folder'], undefined],
  [['atelier', '--folders', 'shop'], undefined],
  [['atelier', SHOP], { folder: SHOP }],
  [['atelier', pathToFileURL(SHOP).href], { folder: SHOP }],
  [['atelier', 'file://server/share'], { link: 'file://server/share' }],
  [['atelier', 'file:///a%2Fb'], { link: 'file:///a%2Fb' }],
  [['atelier', '--no-sandbox', 'sftp://server/srv'], { link: 'sftp://server/srv' }],
  [['atelier', 'TRASH:///'], { link: 'TRASH:///' }],
  [['atelier', '--proxy-server=http://proxy'], undefined],
  [['atelier', 'shop'], undefined],
  [['atelier', '--no-sandbox', 'atelier://new?text=x'], { link: 'atelier://new?text=x' }],
  [['atelier', 'ATELIER://new'], { link: 'ATELIER://new' }],
  [['atelier'], undefined],
])('%j opens %j', (argv, opening) => {
  expect(openingOf(argv, TYPED_IN, true)).toEqual(opening)
})

test('while the app is developed a path is the folder of the app', () => {
  expect(openingOf(['electron', SHOP], TYPED_IN, false)).toBeUndefined()
  expect(openingOf(['electron', SHOP, 'atelier://new'], TYPED_IN, false)).toEqual({ link: 'atelier://new' })
})

test('what another start hands over is looked at', () => {
  expect(openingOfOther({ folder: SHOP, more: 1 }, ['--folder', 'atelier://new'])).toEqual({ folder: SHOP })
  for (const value of [undefined, null, 'x', {}, { folder: 1 }, { link: 'atelier://new' }]) {
    expect(openingOfOther(value, ['--no-sandbox', '/srv'])).toBeUndefined()
    expect(openingOfOther(value, ['sftp://server/srv', 'ATELIER://new'])).toEqual({ link: 'ATELIER://new' })
    expect(openingOfOther(value, ['sftp://server/srv'])).toEqual({ link: 'sftp://server/srv' })
  }
})

test('a link is not handed over beside the words, which have it already', () => {
  expect(handedOver({ link: 'atelier://new' })).toEqual({})
  expect(handedOver({ folder: SHOP })).toEqual({ folder: SHOP })
  expect(handedOver(undefined)).toEqual({})
})

test('a path is one value of the route, whatever is in it', () => {
  const route = openingRoute({ folder: '/srv/a b?c&d#e%20' })
  expect(new URL(route, 'http://x').searchParams.get('folder')).toBe('/srv/a b?c&d#e%20')
})
