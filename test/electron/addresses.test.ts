import { describe, expect, test } from 'vitest'
import { isAppAddress, isLocalServiceAddress, isWebAddress } from '../../electron/addresses.ts'

describe('the window stays in the app', () => {
  test.each(['app://atelier/', 'app://atelier/#/settings', 'app://atelier/index.html?x=1'])(
    '%s is the app',
    address => {
      expect(isAppAddress(address)).toBe(true)
    },
  )
  test.each([
    'https://atelier/',
    'app://evil/',
    'app://atelier.evil.example/',
    'app://user@atelier/',
    'app://atelier@evil/',
    'app:atelier',
    'file:///etc/passwd',
    'data:text/html,<script>1</script>',
    'javascript:alert(1)',
    'blob:app://atelier/1',
    'about:blank',
    '',
  ])('%s is not', address => {
    expect(isAppAddress(address)).toBe(false)
  })
})

describe('the browser is given web pages only', () => {
  test.each(['https://example.com/a?b#c', 'http://127.0.0.1:3737/docs'])('%s opens', address => {
    expect(isWebAddress(address)).toBe(true)
  })
  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'ms-settings:',
    'vscode://x',
    'https://user:secret@example.com/',
    'https:///',
    `https://example.com/${'a'.repeat(5_000)}`,
    ' ',
  ])('%s does not', address => {
    expect(isWebAddress(address)).toBe(false)
  })
})

describe('the window connects to this computer only', () => {
  test.each(['http://127.0.0.1:3737/api', 'ws://127.0.0.1:3737/sockets'])('%s is allowed', address => {
    expect(isLocalServiceAddress(address)).toBe(true)
  })
  test.each([
    'http://127.0.0.1.evil.example/',
    'http://localhost:3737/',
    'http://127.0.0.1@evil.example/',
    'https://example.com/',
    'ftp://127.0.0.1/',
  ])('%s is not', address => {
    expect(isLocalServiceAddress(address)).toBe(false)
  })
})
