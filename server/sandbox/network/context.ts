import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import { SANDBOX } from '../spec.ts'
import { type CommonContainer, IN_USE_MS } from './common-container.ts'
import { type OneShotOptions, runOneShot } from './one-shot.ts'

/** What a new container of the default network knows of the network around it. */
export interface NetworkContext {
  nameservers: readonly string[]
  /** Of the names that were looked up. A name that is not known has none. */
  addresses: Readonly<Record<string, readonly string[]>>
}

/** Looks the names up all at once; a nameserver that does not answer holds nobody up for long. */
const PROBE_SCRIPT = `
sed -n 's/^nameserver[[:space:]]/nameserver &/p' /etc/resolv.conf
for name; do
  timeout 5 getent ahosts "$name" | sed "s/^/address $name /" &
done
wait`

/**
 * Prints the surroundings, for `readSurroundings`. To be run in a container of our own: in a sandbox the files that say
 * so can be written.
 */
function probeCommand(names: readonly string[]): string[] {
  return ['/bin/sh', '-c', PROBE_SCRIPT, 'sh', ...names]
}

export function parseNetworkContext(printed: string): NetworkContext {
  const nameservers = new Set<string>()
  const addresses: Record<string, string[]> = {}
  for (const line of printed.split('\n')) {
    const [kind, name = '', given = ''] = line.trim().split(/\s+/)
    if (!ipaddr.isValid(given)) continue
    const address = ipaddr.parse(given.replace(/%.*$/, '')).toString()
    if (kind === 'nameserver') nameservers.add(address)
    if (kind !== 'address') continue
    const known = addresses[name] ?? []
    addresses[name] = known.includes(address) ? known : [...known, address]
  }
  // Nameservers answer in turns; what is the same is to look the same.
  for (const known of Object.values(addresses)) known.sort()
  return { nameservers: [...nameservers], addresses }
}

/** From one of these an engine on this machine gives a container its nameservers, once, as it starts. */
const RESOLVERS = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']

/** Their contents; empty for one that is not there. */
export function resolverFiles(): Promise<string[]> {
  return Promise.all(RESOLVERS.map(path => readFile(path, 'utf8').catch(() => '')))
}

/** A network changes while sandboxes run: another Wi-Fi, a VPN, a name that moves. By then there is a new container to look from. */
const REFRESH_MS = IN_USE_MS

export interface CachedNetworkContextOptions extends OneShotOptions {
  common: Pick<CommonContainer, 'look'>
  /** A later look has found something else. */
  onChange(found: NetworkContext, before: NetworkContext): void
}

/** The surroundings as they were lately, so that hardly any start waits for a look. */
export class CachedNetworkContext {
  readonly #options: CachedNetworkContextOptions
  /** All that were ever seen: a sandbox goes on to ask those that it was started with. */
  readonly #nameservers = new Set<string>()
  #last: { names: string; at: number; result: Promise<NetworkContext> } | undefined
  #again: Promise<void> | undefined

  constructor(options: CachedNetworkContextOptions) {
    this.#options = options
  }

  /** @throws AppError engine_failed, engine_unavailable */
  read(names: readonly string[]): Promise<NetworkContext> {
    const known = this.#last
    if (known?.names !== names.join(' ')) return this.#begin(names)
    if (Date.now() - known.at > REFRESH_MS) this.#again ??= this.#lookAgain(names, known.result)
    return known.result
  }

  /** Anew. @throws AppError engine_failed, engine_unavailable */
  async look(names: readonly string[]): Promise<NetworkContext> {
    const command = probeCommand(names)
    const printed = (await this.#options.common.look(command)) ?? (await this.#lookAlone(command))
    const { nameservers, addresses } = parseNetworkContext(printed)
    for (const address of nameservers) this.#nameservers.add(address)
    return { nameservers: [...this.#nameservers], addresses }
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#last?.result, this.#again])
  }

  /** Where the common container cannot: from one that lasts no longer. */
  async #lookAlone(command: string[]): Promise<string> {
    const { stdout } = await runOneShot(this.#options, {
      command,
      network: 'bridge',
      extraHosts: [...SANDBOX.extraHosts],
      capabilities: [],
    })
    return stdout
  }

  #begin(names: readonly string[]): Promise<NetworkContext> {
    const result = this.look(names)
    const before = this.#last?.result
    const look = { names: names.join(' '), at: Date.now(), result }
    this.#last = look
    result.then(
      found => before && this.#compareNameservers(found, before),
      () => {
        if (this.#last === look) this.#last = undefined
      },
    )
    return result
  }

  async #compareNameservers(found: NetworkContext, before: Promise<NetworkContext>): Promise<void> {
    const known = await before.catch(() => undefined)
    if (known && known.nameservers.join() !== found.nameservers.join()) this.#options.onChange(found, known)
  }

  async #lookAgain(names: readonly string[], before: Promise<NetworkContext>): Promise<void> {
    try {
      const found = await this.look(names)
      if (this.#last?.result !== before) return
      this.#last = { names: names.join(' '), at: Date.now(), result: Promise.resolve(found) }
      const known = await before
      if (JSON.stringify(found) !== JSON.stringify(known)) this.#options.onChange(found, known)
    } catch {
      // What was known goes on to hold; the next start looks again.
    } finally {
      this.#again = undefined
    }
  }
}
