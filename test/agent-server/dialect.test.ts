import { describe, expect, it } from 'vitest'
import { dialectOf, type EventReader } from '../../server/agent-server/event/dialect.ts'
import type { EventDialect } from '../../server/api/event-dialects.ts'

describe('the kinds of events that a client gets', () => {
  it.each<[string, EventReader, EventDialect | null, EventDialect]>([
    ['a search', { port: 'gateway' }, null, 'current'],
    ['a socket with resend_all', { port: 'gateway', resendAll: true }, null, '2025'],
    ['a socket with resend_all of the app', { port: 'app', resendAll: true }, null, '2025'],
    [
      'a socket with resend_all, whatever it is, says the setting',
      { port: 'gateway', resendAll: true },
      'current',
      'current',
    ],
    ['all clients of the gateway, says the setting', { port: 'gateway' }, '2025', '2025'],
    ['the window, which the setting does not reach', { port: 'app' }, '2025', 'current'],
    ['who says what it knows', { port: 'gateway', asked: 'current', resendAll: true }, '2025', 'current'],
    ['who says that it is older', { port: 'app', asked: '2025' }, 'current', '2025'],
  ])('%s', (_client, reader, setting, expected) => {
    expect(dialectOf(reader, setting)).toBe(expected)
  })
})
