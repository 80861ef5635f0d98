import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectDbus, socketPath } from '../../server/dbus/connection.ts'

test.each([
  ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
  ['unix:path=/run/user/1000/bus,guid=0123', '/run/user/1000/bus'],
  ['tcp:host=localhost,port=1;unix:path=/tmp/a%20b', '/tmp/a b'],
  ['unix:abstract=/tmp/dbus-x,guid=1', '\0/tmp/dbus-x'],
  ['autolaunch:', undefined],
  ['', undefined],
])('the bus of the address %j is at %j', (address, path) => {
  expect(socketPath(address)).toBe(path)
})

test('a bus that refuses the user, or hangs up, is an error and not a wait', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-dbus-'))
  const path = join(folder, 'bus')
  const answers = ['REJECTED EXTERNAL\r\n', '']
  const server = createServer(socket => socket.resume().end(answers.shift() ?? ''))
  await new Promise<void>(resolve => server.listen(path, resolve))
  try {
    await expect(connectDbus(path, 0)).rejects.toMatchObject({ name: 'DbusError', errorName: null })
    await expect(connectDbus(path, 0)).rejects.toMatchObject({ name: 'DbusError', errorName: null })
  } finally {
    await new Promise(resolve => server.close(resolve))
    rmSync(folder, { recursive: true })
  }
})
