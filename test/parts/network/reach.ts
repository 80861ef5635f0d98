import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'

/** A program of this machine that listens on all addresses, on one port over TCP and UDP, and counts who comes. */
export interface Listener {
  port: number
  /** How many have come since the last question. */
  visits(): number
  close(): Promise<void>
}

export async function listenEverywhere(): Promise<Listener> {
  let visits = 0
  const connections = new Set<Socket>()
  const tcp = createServer(socket => {
    visits++
    connections.add(socket)
    socket.resume()
    socket.on('error', () => {})
    socket.write('hello\n')
  })
  await new Promise<void>(resolve => tcp.listen(0, '::', resolve))
  const address = tcp.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.')
  const { port } = address
  const sockets = (['udp4', 'udp6'] as const).map(type => {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' })
    socket.on('message', (_message, from) => {
      visits++
      socket.send('hello\n', from.port, from.address)
    })
    return socket
  })
  await Promise.all(sockets.map(socket => new Promise<void>(resolve => socket.bind(port, resolve))))
  return {
    port,
    visits: () => {
      const count = visits
      visits = 0
      return count
    },
    close: async () => {
      for (const socket of sockets) socket.close()
      for (const connection of connections) connection.destroy()
      await new Promise(resolve => tcp.close(resolve))
    },
  }
}

/** Gives this machine an address more, as if it were in that network too. @returns what takes it away */
export function addAddress(address: string): () => void {
  const cidr = `${address}/${address.includes(':') ? 128 : 32}`
  // A run that was killed may have left it.
  execFileSync('ip', ['address', 'replace', cidr, 'dev', 'lo'])
  return () => execFileSync('ip', ['address', 'del', cidr, 'dev', 'lo'])
}

const PROBE = `
import socket, sys
kind, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
family = socket.AF_INET6 if ":" in host else socket.AF_INET
s = socket.socket(family, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
s.settimeout(10)
try:
    # Without a connection an answer may come from another address of the same machine.
    if kind == "udp": s.sendto(b"hello", (host, port))
    else: s.connect((host, port))
    print("open" if s.recv(6) == b"hello\\n" else "strange")
except OSError as error:
    print("silent" if isinstance(error, socket.timeout) else "refused")
`

/** What a program in the sandbox meets at an address: `silent` is a time-out. */
export async function reach(
  sandbox: SandboxHandle,
  kind: 'tcp' | 'udp',
  host: string,
  port: number,
): Promise<'open' | 'refused' | 'silent' | 'strange'> {
  const { stdout, stderr } = await sandbox.exec({ argv: ['python3', '-c', PROBE, kind, host, String(port)] })
  const found = (['open', 'refused', 'silent', 'strange'] as const).find(each => each === stdout.trim())
  if (!found) throw new Error(`The probe failed: ${stdout}${stderr}`)
  return found
}
