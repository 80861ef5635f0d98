import { expect, test } from 'vitest'
import { isUsedFromOutside } from '../../../server/sandbox/pause/activity.ts'

const row = (local: string, remote: string, state: string) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0000000000000000 100`
const ANY = '00000000'
const NOBODY = '00000000:0000'
const BRIDGE = '010011AC:C350'

test.each([
  ['nothing', '', false],
  ['a server that Atelier alone reaches', row(`${ANY}:0BB8`, NOBODY, '0A'), false],
  ['a server at a published port', row(`${ANY}:1F4B`, NOBODY, '0A'), true],
  ['one that only the sandbox itself reaches', row('0100007F:1F4B', NOBODY, '0A'), false],
  ['the same in IPv6', row('00000000000000000000000001000000:1F4B', NOBODY, '0A'), false],
  ['somebody at a server', `${row(`${ANY}:0BB8`, NOBODY, '0A')}\n${row('020011AC:0BB8', BRIDGE, '01')}`, true],
  [
    'a program at its own database',
    `${row(`${ANY}:1538`, NOBODY, '0A')}\n${row('0100007F:1538', '0100007F:C350', '01')}`,
    false,
  ],
  [
    'the same in IPv6 form',
    `${row(`${'0'.repeat(32)}:1538`, NOBODY, '0A')}\n${row('0000000000000000FFFF00000100007F:1538', '0000000000000000FFFF00000100007F:C350', '01')}`,
    false,
  ],
  ['a connection to elsewhere', row('020011AC:C350', '08080808:01BB', '01'), false],
  ['a program in the foreground', 'foreground', true],
])('%s', (_, text, expected) => {
  expect(isUsedFromOutside(text, [0x1f4b])).toBe(expected)
})
