import { Socket } from 'node:net'
import { DatabaseSync } from '@photostructure/sqlite'

// Loaded into the service before it starts. ATELIER_TEST_KILL=MOMENT:COUNT ends the process by SIGKILL when that moment
// comes for the COUNT-th time; ATELIER_TEST_MODEL_PORT tells the model's sockets from others.
const [moment, count] = (process.env.ATELIER_TEST_KILL ?? '').split(':')
const modelPort = Number(process.env.ATELIER_TEST_MODEL_PORT)
let left = Number(count)
let sandboxStarts = false

/** @param {string} name */
function pass(name) {
  if (name === moment && --left === 0) process.kill(process.pid, 'SIGKILL')
}

const { exec } = DatabaseSync.prototype
// The binding's own methods cannot be replaced, but what its instances inherit from can.
DatabaseSync.prototype = Object.create(DatabaseSync.prototype, {
  exec: {
    /** @this {InstanceType<typeof DatabaseSync>} @param {string} sql */
    value(sql) {
      if (sql === 'COMMIT') pass('before-commit')
      exec.call(this, sql)
      // What was committed is published after this returns.
      if (sql === 'COMMIT') pass('after-commit')
    },
  },
})

const { push, write } = Socket.prototype

/** @this {Socket} @param {[unknown, BufferEncoding?]} input */
Socket.prototype.push = function (...input) {
  if (this.remotePort === modelPort) pass('model-read')
  else if (isEngine(this)) passEngine('engine-read')
  return push.apply(this, input)
}

/** @this {Socket} @param {unknown[]} input */
Socket.prototype.write = function (...input) {
  const written = Reflect.apply(write, this, input)
  if (!isEngine(this)) return written
  if (String(input[0]).includes('/containers/create')) sandboxStarts = true
  passEngine('engine-write')
  return written
}

/** @param {'engine-read' | 'engine-write'} name */
function passEngine(name) {
  pass(name)
  if (sandboxStarts) pass('sandbox-start')
}

/** Only the engine is reached over a socket file. @param {Socket} socket */
function isEngine(socket) {
  return socket.remotePort === undefined && !('_isStdio' in socket)
}

if (moment === 'time') setTimeout(() => process.kill(process.pid, 'SIGKILL'), left).unref()
