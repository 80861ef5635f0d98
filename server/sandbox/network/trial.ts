import { type OneShotOptions, runOneShot } from './one-shot.ts'
import { parseRefused } from './refused-connections.ts'
import { networkRules } from './rules.ts'

/** Kept for documentation (RFC 5737), so that a connection that is not refused reaches nobody. */
const NOBODY_THERE = { address: '192.0.2.1', port: 9 } as const

/** $1 rules, $2 address, $3 port. A connection that is not refused gets no answer either. */
const SCRIPT = `
nft "$1" || exit
timeout 2 bash -c "exec 3<>/dev/tcp/$2/$3" 2>/dev/null
exec nft -j list sets table inet atelier`

/**
 * Sets the rules of sandboxes in a container of ours, and makes a connection in it that they refuse.
 * @returns whether the kernel of the engine refused it
 * @throws AppError engine_failed where the rules cannot be set, engine_unavailable
 */
export async function tryRules(options: OneShotOptions): Promise<boolean> {
  const { address, port } = NOBODY_THERE
  const rules = networkRules({ nameservers: [], addresses: {} }, [])
  const { stdout } = await runOneShot(options, {
    command: ['/bin/sh', '-c', SCRIPT, 'sh', rules, address, String(port)],
    network: 'bridge',
    extraHosts: [],
    capabilities: ['NET_ADMIN'],
  })
  return parseRefused(stdout).some(refused => refused.address === address && refused.port === port)
}
