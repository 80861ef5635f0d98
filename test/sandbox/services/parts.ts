import pino from 'pino'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { readListeners } from '../../../server/preview/listening.ts'
import { SandboxServices } from '../../../server/sandbox/services/services.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { type Parts, until } from '../parts.ts'

/** The repository of each sandbox. */
export const FOLDER = '/workspace/project/shop'

/** With the services of the sandboxes of these parts. */
export const it = base.extend('services', { scope: 'file' }, async ({ parts }, { onCleanup }) => {
  const services = openServices(parts)
  onCleanup(() => services.close())
  return services
})

export function openServices(parts: Parts): SandboxServices {
  const services = new SandboxServices({
    ...parts,
    log: pino({ level: 'silent' }),
    foldersOf: () => [FOLDER],
    listening: async (sandbox, signal) => new Set((await readListeners(sandbox, signal)).map(({ port }) => port)),
  })
  services.start()
  return services
}

const never = new AbortController().signal

/** Starts all, and resolves when nothing is under way any more. */
export async function start(parts: Parts, services: SandboxServices, { id }: SandboxHandle) {
  await services.begin(id, null, never)
  return settled(parts, services, id)
}

export function settled(parts: Parts, services: SandboxServices, id: string) {
  return until(parts.bus, async () => {
    const list = await services.list(id, never)
    return list.services.some(({ state }) => state === 'starting' || state === 'pulling') ? undefined : list
  })
}

/** A program that answers each connection with what it was given, and counts in a file of its volume how often it was started. */
export const SERVER = `import socket, sys, os
port, words = int(sys.argv[1]), open(sys.argv[2]).read().strip() if len(sys.argv) > 2 else 'hello'
os.makedirs('/data', exist_ok=True)
open('/data/starts', 'a').write('x')
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', port))
s.listen()
print('listening on', port, flush=True)
while True:
    c, _ = s.accept()
    c.sendall(f"{words} {len(open('/data/starts').read())}".encode())
    c.close()
`

/** What answers at a host and a port, as a program in the sandbox sees it. */
export function ask(host: string, port: number): string {
  return `python3 -c "import socket; s = socket.create_connection(('${host}', ${port}), 3); print(s.recv(99).decode())"`
}
