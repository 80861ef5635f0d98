import childProcess from 'node:child_process'
import dns from 'node:dns'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import { isAllowed, isPublic } from '../../outbound/address.ts'
import { byteCount } from './byte-count.ts'
import type { CliMessage, CliRequest } from './request.ts'

/**
 * What a repository writes decides what the command line of dev containers does. Before that is loaded, this module takes
 * from its thread what no repository may decide: it starts no program, reaches no private address, and does not see the
 * person's home, where a registry's login lies. Nothing of the service is in the thread.
 */

const { home, args, allowedHosts, maxBytes }: CliRequest = workerData
const WATCH_MS = 100

const send = (message: CliMessage) => parentPort?.postMessage(message)

// It reads its own package.json two folders up.
Object.assign(globalThis, { __dirname: join(home, 'cli', 'dist', 'spec-node') })
process.argv.push(...args)
os.homedir = () => home
os.tmpdir = () => join(home, 'tmp')
os.userInfo = (() => ({ username: 'atelier', uid: -1, gid: -1, shell: null, homedir: home })) as typeof os.userInfo

process.stdout.write = writer(text => send({ kind: 'output', text }))
process.stderr.write = writer(text => send({ kind: 'problem', text }))

function writer(take: (text: string) => void): typeof process.stdout.write {
  return ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }) as typeof process.stdout.write
}

/** It asks a `docker` command line for containers of the repository. There are none, and no other program is there. */
function spawn(_command: string, given?: readonly string[] | object): childProcess.ChildProcess {
  const child = Object.assign(new EventEmitter(), {
    stdin: new PassThrough().resume(),
    stdout: new PassThrough().end(),
    stderr: new PassThrough().end(),
    kill: () => true,
  })
  const isList = Array.isArray(given) && given[0] === 'ps'
  setImmediate(() => {
    if (!isList) return void child.emit('error', Object.assign(new Error('no program is started'), { code: 'ENOENT' }))
    child.emit('exit', 0, null)
    child.emit('close', 0, null)
  })
  return child as unknown as childProcess.ChildProcess
}

function refuse(): never {
  throw Object.assign(new Error('no program is started'), { code: 'ENOENT' })
}

Object.assign(childProcess, {
  spawn,
  exec: refuse,
  execFile: refuse,
  fork: refuse,
  spawnSync: refuse,
  execSync: refuse,
  execFileSync: refuse,
})

const sockets = new Set<net.Socket>()
let closedBytes = 0
let writtenBytes = 0

function isOpen(host: string, port: number): boolean {
  const name = net.isIPv6(host) ? `[${host}]` : host
  return URL.canParse(`https://${name}:${port}`) && isAllowed(new URL(`https://${name}:${port}`), allowedHosts)
}

/** The address that is connected to is the one that was checked. */
function checkedLookup(hostname: string, options: dns.LookupOptions, done: (...answer: unknown[]) => void): void {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error)
    if (!addresses.every(({ address }) => isPublic(address))) return done(privateAddress(hostname))
    if (options.all) return done(null, addresses)
    const [first] = addresses
    done(null, first?.address, first?.family)
  })
}

function privateAddress(host: string): Error {
  return new Error(`${host} is this machine or a machine of its network, which a repository may not name`)
}

const connect = net.Socket.prototype.connect as (...given: unknown[]) => net.Socket

net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]): net.Socket {
  const [first] = given
  const options = (Array.isArray(first) ? first[0] : first) as net.TcpNetConnectOpts & { path?: string }
  const isAddress = typeof options === 'object' && options !== null && !options.path
  const { host = 'localhost', port } = isAddress ? options : { host: '', port: 0 }
  if (!isAddress || (!isOpen(host, Number(port)) && net.isIP(host) !== 0 && !isPublic(host))) {
    process.nextTick(() => this.destroy(privateAddress(host)))
    return this
  }
  if (!isOpen(host, Number(port))) Object.assign(options, { host, lookup: checkedLookup })
  sockets.add(this)
  this.once('close', () => {
    sockets.delete(this)
    closedBytes += this.bytesRead
  })
  return connect.apply(this, given)
} as typeof net.Socket.prototype.connect

setInterval(() => {
  const received = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, closedBytes)
  if (received > maxBytes) tooMuch()
}, WATCH_MS).unref()

/** What is unpacked can be far larger than what was received. Some of them call another one: then it counts twice. */
function counted<Name extends string>(place: Record<Name, unknown>, name: Name): void {
  const original = place[name] as (...given: unknown[]) => unknown
  const write = (...given: unknown[]) => {
    writtenBytes += byteCount(given[1])
    if (writtenBytes > maxBytes) tooMuch()
    return original.apply(place, given)
  }
  Object.assign(place, { [name]: write })
}
for (const name of ['write', 'writev', 'writeSync', 'writeFile', 'writeFileSync', 'appendFileSync'] as const) {
  counted(fs, name)
}
for (const name of ['writeFile', 'appendFile'] as const) counted(fs.promises, name)

function tooMuch(): never {
  send({ kind: 'problem', text: 'Error: its features are too large' })
  process.exit(1)
}
