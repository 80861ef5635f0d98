import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Writer } from '../../server/dbus/wire.ts'
import { secretServiceState } from '../../server/secret/keychain/secret-service.ts'

const KEYRING = '/org/freedesktop/secrets/collection/login'
const NONE = '/'
let folder = ''
let server: Server | undefined

afterEach(async () => {
  await new Promise(resolve => server?.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** A bus whose keyring names these as its default keyring, one after the other, and then the last for ever. */
async function startBus(defaults: string[]): Promise<NodeJS.ProcessEnv> {
  let asked = 0
  server = createServer(socket => {
    let serial = 0
    socket.on('data', data => {
      const text = data.toString('latin1')
      if (text.startsWith('\0AUTH')) return void socket.write('OK 0123\r\n')
      // Hello comes behind BEGIN; every call has the serial number after the one before it.
      serial += 1
      if (text.includes('Hello')) socket.write(reply(serial, 's', body => body.text(':1.1')))
      if (text.includes('ReadAlias')) {
        const path = defaults[Math.min(asked++, defaults.length - 1)] ?? NONE
        socket.write(reply(serial, 'o', body => body.text(path)))
      }
      if (text.includes('Locked')) {
        socket.write(
          reply(serial, 'v', body => {
            body.raw(Buffer.from([1, 0x62, 0]))
            body.align(4)
            body.uint32(0)
          }),
        )
      }
    })
  })
  folder = mkdtempSync(join(tmpdir(), 'atelier-secret-service-'))
  const path = join(folder, 'bus')
  await new Promise<void>(resolve => server?.listen(path, resolve))
  return { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }
}

function reply(serial: number, signature: string, fill: (body: Writer) => void): Buffer {
  const body = new Writer()
  fill(body)
  const fields = new Writer()
  fields.align(8)
  fields.raw(Buffer.from([5, 1, 0x75, 0]))
  fields.align(4)
  fields.uint32(serial)
  fields.field(8, 'g', signature)
  const writer = new Writer()
  writer.raw(Buffer.from([0x6c, 2, 0, 1]))
  writer.uint32(body.length)
  writer.uint32(1)
  writer.uint32(fields.length)
  writer.raw(fields.buffer())
  writer.align(8)
  writer.raw(body.buffer())
  return writer.buffer()
}

test('a keyring that is out of sight for a moment, as GNOME Keyring has it after a write, is not missing', async () => {
  const env = await startBus([NONE, NONE, KEYRING])
  expect(await secretServiceState(env, 0)).toEqual({ kind: 'open' })
})

test('one that does not come is missing', async () => {
  const env = await startBus([NONE])
  expect(await secretServiceState(env, 0)).toMatchObject({
    kind: 'missing',
    reason: expect.stringContaining('default'),
  })
})
