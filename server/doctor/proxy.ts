import { type FindProxy, proxyVariables } from '../outbound/proxies.ts'
import { shownAddress } from '../text/shown-address.ts'
import { type Check, factsOf } from './check.ts'
import type { DiagnosedEngine } from './engine.ts'

/** One of the public internet, for which nobody makes an exception. */
const ANY_ADDRESS = new URL('https://www.example.com')

interface ProxyParts {
  engine: DiagnosedEngine
  env: NodeJS.ProcessEnv
  findProxy: FindProxy
}

/** Proxies carry passwords: only their servers are shown. */
export const proxyCheck =
  ({ engine, env, findProxy }: ProxyParts): Check =>
  async signal => {
    const set = proxyVariables(env).map(({ name, value }) => `${name}=${shownAddress(value) ?? '?'}`)
    const found = await findProxy(ANY_ADDRESS).catch(() => 'unusable' as const)
    const ofEngine = await proxiesOf(engine, signal)
    const proxy = found instanceof URL ? `${found.protocol}//${found.host}` : null
    const facts = factsOf({ proxy, variables: set.join(', '), engine_proxy: ofEngine.join(', ') })
    if (found === 'unusable') return { state: 'problem', finding: 'proxy_unusable', facts }
    if (found) return { state: 'ok', finding: 'proxy_used', facts }
    return { state: 'ok', finding: ofEngine.length > 0 ? 'proxy_engine' : 'proxy_none', facts }
  }

/** Without an engine there are none. */
async function proxiesOf(engine: DiagnosedEngine, signal: AbortSignal): Promise<string[]> {
  try {
    return (await (await engine.engine(signal)).info(signal)).details.proxies
  } catch {
    return []
  }
}
