import type { SandboxHandle } from '../domain/sandbox-handle.ts'

/** A program that listens in a sandbox. */
export interface Listener {
  port: number
  /** Of the kernel: another one is another program, or the same one begun anew. */
  inode: string
}

/** The kernel's tables of sockets; their form is that of proc_net_tcp(5). */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENING = '0A'
/** Docker's own nameserver, in its networks that people make. */
const NAMESERVER = '0B00007F'
const MAX_BYTES = 1024 * 1024
/** A sandbox is not paused meanwhile. */
const LIMIT_MS = 10_000

/** What listens in a sandbox now, whatever its address, the lowest port first. */
export async function readListeners(sandbox: Pick<SandboxHandle, 'exec'>, signal: AbortSignal): Promise<Listener[]> {
  const { stdout } = await sandbox.exec({
    argv: ['cat', ...TABLES],
    cwd: '/',
    maxBytes: MAX_BYTES,
    limitMs: LIMIT_MS,
    signal,
  })
  return listenersIn(stdout)
}

export function listenersIn(tables: string): Listener[] {
  const found = new Map<number, Listener>()
  for (const line of tables.split('\n')) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const [address, port = ''] = local.split(':')
    if (state !== LISTENING || address === NAMESERVER || !/^[0-9A-F]{4}$/.test(port) || inode === '') continue
    const number = Number.parseInt(port, 16)
    if (!found.has(number)) found.set(number, { port: number, inode })
  }
  return [...found.values()].sort((a, b) => a.port - b.port)
}

/** Which process has which socket, and what the processes are called. Both lines are of one form in every `ls` and `grep`. */
const WHO = `ls -l /proc/[0-9]*/fd 2>/dev/null | sed -n 's|^/proc/\\([0-9]*\\)/fd:$|process \\1|p; s|.*socket:\\[\\([0-9]*\\)\\]$|socket \\1|p'
grep -s '' /proc/[0-9]*/comm`

/** The names of the programs behind sockets, by inode; none for those of users whose processes cannot be looked at. */
export async function readPrograms(
  sandbox: Pick<SandboxHandle, 'exec'>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { stdout } = await sandbox.exec({
    argv: ['/bin/sh', '-c', WHO],
    cwd: '/',
    maxBytes: MAX_BYTES,
    limitMs: LIMIT_MS,
    signal,
  })
  return programsIn(stdout)
}

export function programsIn(text: string): Map<string, string> {
  const owners = new Map<string, string>()
  const names = new Map<string, string>()
  let process = ''
  for (const line of text.split('\n')) {
    const [word, value = ''] = line.split(' ', 2)
    const comm = /^\/proc\/(\d+)\/comm:(.*)$/.exec(line)
    if (comm?.[1] && comm[2]) names.set(comm[1], comm[2])
    else if (word === 'process') process = value
    else if (word === 'socket' && !owners.has(value)) owners.set(value, process)
  }
  return new Map([...owners].flatMap(([inode, id]) => (names.has(id) ? [[inode, names.get(id) ?? '']] : [])))
}
