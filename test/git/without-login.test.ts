import { expect, it } from 'vitest'
import { withoutLogin } from '../../server/git/remote.ts'

it.each([
  ['https://host/a/b.git', 'https://host/a/b.git'],
  ['https://user:pass@host/a.git', 'https://host/a.git'],
  ['http://user:s3cr@t-rest@host:81/a@b.git', 'http://host:81/a@b.git'],
  ['https://token@host/a.git?private_token=abc#x', 'https://host/a.git'],
  ['ssh://git@host/a.git', 'ssh://git@host/a.git'],
  ['ssh://git:pass@host/a.git', 'ssh://host/a.git'],
  ['git@host:a/b.git', 'git@host:a/b.git'],
  ['/srv/a.git', '/srv/a.git'],
])('the address %s is shown as %s', (address, shown) => expect(withoutLogin(address)).toBe(shown))
