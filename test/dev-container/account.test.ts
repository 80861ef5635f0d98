import { expect, test } from 'vitest'
import { findAccount } from '../../server/dev-container/account.ts'

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\ndev:x:1234:1235::/home/dev:/bin/sh\n'
const GROUPS = 'root:x:0:\ndocker:x:99:dev\n'

test.for([
  ['', { user: '0:0', home: '/root' }],
  ['root', { user: '0:0', home: '/root' }],
  ['dev', { user: '1234:1235', home: '/home/dev' }],
  ['1234', { user: '1234:1235', home: '/home/dev' }],
  ['dev:docker', { user: '1234:99', home: '/home/dev' }],
  ['4711', { user: '4711:0', home: '/' }],
  ['4711:4712', { user: '4711:4712', home: '/' }],
] as const)('the user %j is found', ([asked, account]) => {
  expect(findAccount(asked, PASSWD, GROUPS)).toEqual(account)
})

test.for(['nobody-there', '-1', '99999999999', 'dev:nobody-there', '1:2;3'])('the user %j is refused', asked => {
  expect(() => findAccount(asked, PASSWD, GROUPS)).toThrow('remoteUser')
})
