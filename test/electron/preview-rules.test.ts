import { expect, test } from 'vitest'
import {
  isGuestFrame,
  isGuestPage,
  isGuestRequest,
  isPreviewElement,
  partitionOf,
} from '../../electron/preview/rules.ts'

test('a page goes to the web alone, its frames also to what it has made, and it asks for no file', () => {
  const allowed = (address: string) => [isGuestPage(address), isGuestFrame(address), isGuestRequest(address)]
  expect(allowed('http://localhost:5173/')).toEqual([true, true, true])
  expect(allowed('https://example.org/')).toEqual([true, true, true])
  expect(allowed('ws://localhost:5173/')).toEqual([false, false, true])
  expect(allowed('about:blank')).toEqual([false, true, false])
  expect(allowed('data:text/html,x')).toEqual([false, true, true])
  expect(allowed('blob:http://localhost:5173/1')).toEqual([false, true, true])
  for (const other of ['file:///etc/passwd', 'app://atelier/', 'devtools://x', 'javascript:1', 'vscode://x', '', 'x']) {
    expect([other, ...allowed(other)]).toEqual([other, false, false, false])
  }
})

test('an element shows a page of the web in the session of a sandbox', () => {
  const partition = partitionOf('atelier-4w7AmGhlXoAyPdx9z04GMN')
  expect(isPreviewElement({ partition, src: 'http://localhost:5173/' })).toBe(true)
  const others = [
    {},
    { partition },
    { src: 'http://localhost:5173/' },
    { partition: 'persist:x', src: 'http://localhost:5173/' },
    { partition: `${partition}/x`, src: 'http://localhost:5173/' },
    { partition, src: 'file:///etc/passwd' },
    { partition, src: 'about:blank' },
  ]
  for (const other of others) expect(isPreviewElement(other)).toBe(false)
  for (const id of ['', '../x', 'a b', 'a'.repeat(101)]) expect(() => partitionOf(id)).toThrow()
})
