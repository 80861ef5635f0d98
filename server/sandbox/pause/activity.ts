import { type CommandPlace, runCommand } from '../command/command.ts'

const LOOK_MS = 5000

/**
 * The tables of connections, and a line for each process in the foreground of a terminal that is not the terminal's own
 * shell. Builtins only. After the name in parentheses, `stat` has: state, parent, process group, session, terminal, and the
 * terminal's foreground group.
 */
const LOOK = `
[ -r /proc/self/stat ] || exit 1
for f in /proc/net/tcp /proc/net/tcp6; do
  [ -r "$f" ] && while IFS= read -r line; do echo "$line"; done <"$f"
done
for f in /proc/[0-9]*/stat; do
  IFS= read -r line 2>/dev/null <"$f" || continue
  set -- \${line##*) }
  [ "$5" != 0 ] && [ "$3" = "$6" ] && [ "$3" != "$4" ] && echo foreground
done
exit 0`

const ESTABLISHED = '01'
const LISTENING = '0A'

/** Whether a program is in the foreground of a terminal, or somebody outside is, or may without our knowledge be, connected. */
export async function isWaitingForSomebody(place: CommandPlace, publishedPorts: readonly number[]): Promise<boolean> {
  const result = await runCommand(place, { argv: ['/bin/sh', '-c', LOOK], cwd: '/', timeoutMs: LOOK_MS })
  return result.timedOut || result.exitCode !== 0 || isUsedFromOutside(result.stdout, publishedPorts)
}

/**
 * A server at a published port is reached by browsers and programs of this machine directly: nothing would resume the
 * sandbox for them. What listens elsewhere is reached through Atelier alone.
 */
export function isUsedFromOutside(text: string, publishedPorts: readonly number[]): boolean {
  if (/^foreground$/m.test(text)) return true
  const connections = [...text.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):[0-9A-F]{4} ([0-9A-F]{2}) /gm)]
  const rows = connections.map(([, local = '', port = '', remote = '', state = '']) => ({
    local,
    port: Number.parseInt(port, 16),
    remote,
    state,
  }))
  const listening = rows.filter(({ state }) => state === LISTENING)
  if (listening.some(({ port, local }) => publishedPorts.includes(port) && !isLoopback(local))) return true
  const ports = new Set(listening.map(({ port }) => port))
  return rows.some(({ state, port, remote }) => state === ESTABLISHED && ports.has(port) && !isLoopback(remote))
}

/** In the kernel's form: each 32 bits in the order of the machine, IPv4 in IPv6 too. */
function isLoopback(address: string): boolean {
  return address.slice(-8).endsWith('7F')
    ? address.length === 8 || /^0{16}FFFF0000/.test(address)
    : address === '00000000000000000000000001000000'
}
