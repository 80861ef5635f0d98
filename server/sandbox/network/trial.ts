import { type OneShotOptions, runOneShot } from './one-shot.ts'
import { parseRefused } from './refused-connections.ts'
import { networkRules } from './rules.ts'

/** Kept for documentation (RFC 5737), so that a connection that is not refused reaches nobody. */
const NOBODY_THERE = { address: '192.0.2.1', port: 9 } as const

/** $1 rules, $2 address, $3 port. A connection that is not refused gets no answer either. Its first line says how far it came. */
const SCRIPT = `
said=$(nft "$1" 2>&1) || { printf 'not set\n%s' "$said"; exit 0; }
said=$(timeout 2 bash -c "exec 3<>/dev/tcp/$2/$3" 2>&1)
case $said in *'Network is unreachable'*) echo 'no network'; exit 0 ;; esac
echo set
exec nft -j list sets table inet atelier`

/** `refused` is as it should be; `unknown` where the container got no network. */
export type RulesTrial = { outcome: 'refused' | 'not-refused' | 'unknown' } | { outcome: 'not-set'; reason: string }

/**
 * Sets the rules of sandboxes in a container of ours, makes a connection in it that they refuse, and looks whether the kernel of
 * the engine has counted it.
 * @throws AppError engine_failed, engine_unavailable where there is no container
 */
export async function tryRules(options: OneShotOptions): Promise<RulesTrial> {
  const { address, port } = NOBODY_THERE
  const rules = networkRules({ nameservers: [], addresses: {} }, [])
  const { stdout } = await runOneShot(options, {
    command: ['/bin/sh', '-c', SCRIPT, 'sh', rules, address, String(port)],
    network: 'bridge',
    extraHosts: [],
    capabilities: ['NET_ADMIN'],
  })
  const [first, ...printed] = stdout.split('\n')
  const rest = printed.join('\n')
  if (first === 'not set') return { outcome: 'not-set', reason: rest }
  if (first !== 'set') return { outcome: 'unknown' }
  const isRefused = parseRefused(rest).some(refused => refused.address === address && refused.port === port)
  return { outcome: isRefused ? 'refused' : 'not-refused' }
}
