import type { WebFrameMain } from 'electron'
import { expect, test } from 'vitest'
import { isOwnPage, parseDownloadRequest, parseNotification } from '../../electron/ipc-checks.ts'
import { isAllowed } from '../../electron/permissions.ts'

const own = { id: 1 }
const page = { parent: null, url: 'app://atelier/#/x' }

test('the main frame of our window may ask', () => {
  expect(isOwnPage({ sender: own, senderFrame: page }, own)).toBe(true)
})

test('another window, a frame within, a foreign page and a page that is gone may not', () => {
  expect(isOwnPage({ sender: { id: 2 }, senderFrame: page }, own)).toBe(false)
  expect(isOwnPage({ sender: own, senderFrame: { ...page, parent: {} as WebFrameMain } }, own)).toBe(false)
  expect(isOwnPage({ sender: own, senderFrame: { ...page, url: 'https://example.com/' } }, own)).toBe(false)
  expect(isOwnPage({ sender: own, senderFrame: { ...page, url: 'about:blank' } }, own)).toBe(false)
  expect(isOwnPage({ sender: own, senderFrame: null }, own)).toBe(false)
})

test('a download names a conversation and an absolute path', () => {
  const conversation = 'a'.repeat(32)
  expect(parseDownloadRequest({ conversation, path: '/w/a', key: 'x' })).toEqual({ conversation, path: '/w/a' })
  for (const path of ['w/a', '', 1, `/${'x'.repeat(5_000)}`])
    expect(parseDownloadRequest({ conversation, path })).toBeUndefined()
  for (const value of [null, 'x', { path: '/w' }, { conversation: '../x', path: '/w' }])
    expect(parseDownloadRequest(value)).toBeUndefined()
})

test('a notification is text of a bounded length', () => {
  const conversation = 'a'.repeat(32)
  const about = { conversation, call: null }
  expect(parseNotification({ title: 'Done', body: '', ...about })).toEqual({ title: 'Done', body: '', ...about })
  const cut = parseNotification({ title: 'x'.repeat(999), body: 'y'.repeat(9_999), conversation, call: 'c' })
  expect(cut?.body).toHaveLength(1_000)
  // Nobody can accept what was not shown.
  expect(cut?.call).toBeNull()
  expect(parseNotification({ title: 'Run?', body: 'ls', conversation, call: 'c' })?.call).toBe('c')
  const texts = [{ title: 1, body: '' }, { title: '', body: 'b' }, { title: 't' }].map(one => ({ ...one, ...about }))
  for (const value of [null, 'x', 1, [], {}, ...texts, { title: 't', body: 'b', conversation: '../a' }]) {
    expect(parseNotification(value)).toBeUndefined()
  }
})

test('a page may write to the clipboard and nothing else, and only ours', () => {
  expect(isAllowed('clipboard-sanitized-write', 'app://atelier/')).toBe(true)
  expect(isAllowed('clipboard-sanitized-write', 'app://atelier')).toBe(true)
  expect(isAllowed('clipboard-sanitized-write', 'https://example.com/')).toBe(false)
  const others = [
    'clipboard-read',
    'media',
    'geolocation',
    'notifications',
    'midi',
    'usb',
    'hid',
    'serial',
    'openExternal',
    'fullscreen',
    'unknown',
  ]
  for (const permission of others) expect(isAllowed(permission, 'app://atelier/')).toBe(false)
})
