import { expect, it } from 'vitest'
import type { Job } from '../../../server/tools/terminal/job.ts'
import { PersonsCommands } from '../../../server/tools/terminal/persons-commands.ts'

it('a command that is clipped shows no part of a secret', () => {
  const secret = 'sk-very-secret-value-73'
  const commands = new PersonsCommands()
  commands.add({ command: `${'a'.repeat(240)}${secret}${'b'.repeat(400)}`, end: undefined } as Job)
  const told = commands.take(text => text.replaceAll(secret, '<secret-hidden>'))
  expect(told).toContain('[…]')
  expect(told).not.toContain('sk-')
  expect(commands.take(text => text)).toBe('')
})
