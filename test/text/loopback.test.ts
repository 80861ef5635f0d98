import { expect, test } from 'vitest'
import { isLoopback } from '../../server/api/loopback.ts'

test('a host that names the machine itself is told from every other', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '[::1]',
    '[::]',
  ])
    expect([host, isLoopback(host)]).toEqual([host, true])
  for (const host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org', '10.0.0.1', 'mylocalhost', '']) {
    expect([host, isLoopback(host)]).toEqual([host, false])
  }
})
