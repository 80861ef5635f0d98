import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { padding, Reader, type Value, Writer } from './wire.ts'

/**
 * As much of D-Bus as it takes to ask a question of the session bus, to tell it something, and to hear what others tell.
 * https://dbus.freedesktop.org/doc/dbus-specification.html
 */
export interface DbusConnection {
  /** With arguments that are text, or with a body. Resolves with the reply's first value. Rejects with DbusError when the bus or the other side refuses. */
  call(method: DbusMethod, ...args: string[]): Promise<Value>
  /** Resolves when the bus has it. Rejects with DbusError when the connection is gone. */
  emit(signal: DbusSignal): Promise<void>
  /** Has the bus send the signals of an interface that its service sends, and calls `heard` with each and the values that it brings. */
  listen(name: string, heard: (member: string, values: Value[]) => void): Promise<void>
  /** Called when the connection ends, however it does. */
  onClose(listener: () => void): void
  close(): void
}

interface DbusSignal {
  path: string
  interface: string
  member: string
  /** Types of the values in the body. */
  signature: string
  body: Buffer
}

interface DbusMethod {
  destination: string
  path: string
  interface: string
  member: string
  /** Types of the values in `body`. */
  signature?: string
  body?: Buffer
}

/** `errorName` is the refusal's D-Bus name, null when the connection itself failed. */
export class DbusError extends Error {
  readonly errorName: string | null
  constructor(errorName: string | null, message: string) {
    super(message)
    this.name = 'DbusError'
    this.errorName = errorName
  }
}

/** Path of the session bus's socket; null where there is no session, undefined where it is reached in a way that we do not speak. */
export function sessionBusPath({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: run }: NodeJS.ProcessEnv) {
  // Chromium sets `disabled:` for its own processes where there is no session.
  if (address?.startsWith('disabled:')) return null
  if (address) return socketPath(address)
  return run ? join(run, 'bus') : null
}

/** Path of the socket in a D-Bus address such as `unix:path=/run/user/1000/bus,guid=…`; undefined for other transports. */
export function socketPath(address: string): string | undefined {
  for (const candidate of address.split(';')) {
    const [transport, options = ''] = candidate.split(/:(.*)/s)
    if (transport !== 'unix') continue
    const values = new Map(options.split(',').map(option => splitAt(option, '=')))
    const path = values.get('path')
    if (path) return decodeURIComponent(path)
    const abstract = values.get('abstract')
    if (abstract) return `\0${decodeURIComponent(abstract)}`
  }
  return undefined
}

export async function connectDbus(path: string, uid: number): Promise<DbusConnection> {
  const socket = connect(path)
  const bytes = new ByteQueue(socket)
  const waiting = new Map<number, { resolve: (value: Value) => void; reject: (reason: unknown) => void }>()
  const heard = new Map<string, (member: string, values: Value[]) => void>()
  let serial = 0
  let failure: unknown
  const call = (method: DbusMethod, ...args: string[]): Promise<Value> => {
    if (failure) return Promise.reject(failure)
    serial += 1
    socket.write(encodeCall(method, args, serial))
    return new Promise((resolve, reject) => waiting.set(serial, { resolve, reject }))
  }
  const emit = async (signal: DbusSignal): Promise<void> => {
    serial += 1
    socket.write(encodeSignal(signal, serial))
    // A signal has no answer; what is asked after it is answered after it.
    await call({ ...BUS, member: 'GetId' })
  }
  const listen: DbusConnection['listen'] = async (name, listener) => {
    heard.set(name, listener)
    await call({ ...BUS, member: 'AddMatch' }, `type='signal',sender='${name}',interface='${name}'`)
  }
  const read = async (): Promise<never> => {
    for (;;) {
      const { type, fields, values } = await readMessage(bytes)
      if (type === SIGNAL) heard.get(String(fields.get(FIELD.interface)))?.(String(fields.get(FIELD.member)), values)
      const asked = Number(fields.get(FIELD.replySerial))
      if (type === METHOD_RETURN) waiting.get(asked)?.resolve(values[0])
      if (type === METHOD_ERROR) waiting.get(asked)?.reject(refusal(fields, values))
      if (type !== SIGNAL) waiting.delete(asked)
    }
  }
  try {
    await authenticate(socket, bytes, uid)
    read().catch(error => {
      failure = error
      socket.destroy()
      for (const reply of waiting.values()) reply.reject(error)
    })
    await call({ ...BUS, member: 'Hello' })
  } catch (error) {
    socket.destroy()
    throw error
  }
  return { call, emit, listen, onClose: listener => socket.once('close', listener), close: () => socket.destroy() }
}

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }

async function authenticate(socket: Socket, bytes: ByteQueue, uid: number): Promise<void> {
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\n`)
  const answer = await bytes.line()
  if (!answer.startsWith('OK ')) throw new DbusError(null, 'The session bus refused this user.')
  socket.write('BEGIN\r\n')
}

const METHOD_CALL = 1
const METHOD_RETURN = 2
const METHOD_ERROR = 3
const SIGNAL = 4
const FIELD = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, destination: 6, signature: 8 }

function encodeCall(method: DbusMethod, args: string[], serial: number): Buffer {
  const texts = new Writer()
  for (const arg of args) texts.text(arg)
  const { signature = 's'.repeat(args.length), body = texts.buffer() } = method
  const fields = new Writer()
  fields.field(FIELD.path, 'o', method.path)
  fields.field(FIELD.destination, 's', method.destination)
  fields.field(FIELD.interface, 's', method.interface)
  fields.field(FIELD.member, 's', method.member)
  if (signature !== '') fields.field(FIELD.signature, 'g', signature)
  return encode(METHOD_CALL, serial, fields, body)
}

function encodeSignal({ path, interface: name, member, signature, body }: DbusSignal, serial: number): Buffer {
  const fields = new Writer()
  fields.field(FIELD.path, 'o', path)
  fields.field(FIELD.interface, 's', name)
  fields.field(FIELD.member, 's', member)
  fields.field(FIELD.signature, 'g', signature)
  return encode(SIGNAL, serial, fields, body)
}

function encode(type: number, serial: number, fields: Writer, body: Buffer): Buffer {
  const writer = new Writer()
  writer.raw(Buffer.from([0x6c, type, 0, 1])) // little-endian, no flags, protocol 1
  writer.uint32(body.length)
  writer.uint32(serial)
  writer.uint32(fields.length)
  writer.raw(fields.buffer())
  writer.align(8)
  writer.raw(body)
  return writer.buffer()
}

interface DbusMessage {
  type: number | undefined
  fields: Map<number, Value>
  /** Of the body, as far as their types are known. */
  values: Value[]
}

async function readMessage(bytes: ByteQueue): Promise<DbusMessage> {
  const start = await bytes.take(16)
  const little = start[0] === 0x6c
  const uint32 = (at: number): number => (little ? start.readUInt32LE(at) : start.readUInt32BE(at))
  const bodyLength = uint32(4)
  const fieldsLength = uint32(12)
  const rest = await bytes.take(fieldsLength + padding(fieldsLength, 8) + bodyLength)
  const fields = readFields(new Reader(rest.subarray(0, fieldsLength), little))
  const body = new Reader(rest.subarray(rest.length - bodyLength), little)
  return { type: start[1], fields, values: body.values(String(fields.get(FIELD.signature) ?? '')) }
}

function readFields(reader: Reader): Map<number, Value> {
  const fields = new Map<number, Value>()
  while (!reader.atEnd) {
    reader.align(8)
    fields.set(reader.byte(), reader.value('v'))
  }
  return fields
}

function refusal(fields: DbusMessage['fields'], [value]: Value[]): DbusError {
  const errorName = fields.get(FIELD.errorName)
  return new DbusError(typeof errorName === 'string' ? errorName : null, String(value ?? 'The call was refused.'))
}

/** What a socket sends, to be awaited piece by piece. One reader at a time. */
class ByteQueue {
  #bytes = Buffer.alloc(0)
  #failure: DbusError | undefined
  #wake = (): void => {}
  constructor(socket: Socket) {
    socket.on('data', chunk => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake()
    })
    const fail = (message: string): void => {
      this.#failure ??= new DbusError(null, message)
      this.#wake()
    }
    socket.on('error', error => fail(error.message))
    socket.on('close', () => fail('The session bus closed the connection.'))
  }
  async take(count: number): Promise<Buffer> {
    await this.#until(() => this.#bytes.length >= count)
    return this.#cut(count)
  }
  async line(): Promise<string> {
    await this.#until(() => this.#bytes.includes('\r\n'))
    return this.#cut(this.#bytes.indexOf('\r\n') + 2).toString()
  }
  async #until(ready: () => boolean): Promise<void> {
    while (!ready()) {
      if (this.#failure) throw this.#failure
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
  #cut(count: number): Buffer {
    const piece = this.#bytes.subarray(0, count)
    this.#bytes = this.#bytes.subarray(count)
    return piece
  }
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
