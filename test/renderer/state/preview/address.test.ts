import { expect, test } from 'vitest'
import { pageAddress, shownAddress } from '../../../../renderer/state/preview/address.ts'

test('a page is named by a port, a name or a whole address', () => {
  const pages = {
    '5173': 'http://localhost:5173/',
    ':5173/cart?a=b': 'http://localhost:5173/cart?a=b',
    ' localhost:8000 ': 'http://localhost:8000/',
    'shop.localhost:80/x': 'http://shop.localhost/x',
    '127.0.0.1:3000': 'http://127.0.0.1:3000/',
    '[::1]:3000': 'http://[::1]:3000/',
    'db:8080': 'http://db:8080/',
    'example.org/a b': null,
    'example.org/a': 'https://example.org/a',
    'http://example.org': 'http://example.org/',
    'HTTPS://Example.org': 'https://example.org/',
  }
  expect(Object.keys(pages).map(text => [text, pageAddress(text)])).toEqual(Object.entries(pages))
})

test('what is no page of the web is none', () => {
  const others = [
    '',
    ' ',
    '99999',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'app://atelier',
    'http://u:p@localhost',
  ]
  expect(others.map(text => [text, pageAddress(text)])).toEqual(others.map(text => [text, null]))
})

test('an address is shown without what goes without saying', () => {
  expect(shownAddress('http://localhost:5173/')).toBe('localhost:5173')
  expect(shownAddress('https://example.org/?a=b#c')).toBe('example.org/?a=b#c')
  expect(shownAddress('')).toBe('')
})
