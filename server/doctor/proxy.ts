import { shownAddress } from '../text/shown-address.ts'
import { type Check, factsOf } from './check.ts'
import type { DiagnosedEngine } from './engine.ts'

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const

/** Proxies of the environment carry passwords: only their servers are shown. */
export const proxyCheck =
  (engine: DiagnosedEngine, env: NodeJS.ProcessEnv): Check =>
  async signal => {
    const set = VARIABLES.flatMap(name => {
      const value = env[name] || env[name.toLowerCase()]
      return value ? [`${name}=${shownAddress(value) ?? '?'}`] : []
    })
    const ofEngine = await proxiesOf(engine, signal)
    const facts = factsOf({ variables: set.join(', '), engine_proxy: ofEngine.join(', ') })
    if (set.length > 0) return { state: 'warning', finding: 'proxy_ignored', facts }
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
