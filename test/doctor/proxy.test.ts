import { expect, test } from 'vitest'
import type { DiagnosedEngine } from '../../server/doctor/engine.ts'
import { proxyCheck } from '../../server/doctor/proxy.ts'
import { AppError } from '../../server/domain/errors.ts'
import type { FindProxy } from '../../server/outbound/proxies.ts'

const { signal } = new AbortController()

/** One that cannot be reached has none either. */
function engineWith(proxies?: string[]): DiagnosedEngine {
  const engine = { info: async () => ({ details: { proxies } }) }
  return {
    look: () => Promise.reject(new Error('Nobody asks how it is.')),
    engine: async () => {
      if (!proxies) throw new AppError('engine_unavailable', 'There is none.')
      return engine as unknown as Awaited<ReturnType<DiagnosedEngine['engine']>>
    },
  }
}

const found = (findProxy: FindProxy, env: NodeJS.ProcessEnv = {}, proxies?: string[]) =>
  proxyCheck({ engine: engineWith(proxies), env, findProxy })(signal)

test('no proxy, and one of the engine alone', async () => {
  expect(await found(async () => null)).toEqual({ state: 'ok', finding: 'proxy_none', facts: [] })
  expect(await found(async () => null, {}, ['http://proxy:3128'])).toEqual({
    state: 'ok',
    finding: 'proxy_engine',
    facts: [{ name: 'engine_proxy', value: 'http://proxy:3128' }],
  })
})

test('the proxy that is used, and the variables, without passwords', async () => {
  const env = {
    HTTP_PROXY: 'ada:canary-one@proxy:3128',
    https_proxy: 'http://ada:canary-two@proxy.example:8080/?token=canary-three',
    ALL_PROXY: 'socks5://ada:canary-four@proxy:1080',
  }
  const used = new URL('http://ada:canary-five@proxy.example:8080/?token=canary-six')
  expect(await found(async () => used, env)).toEqual({
    state: 'ok',
    finding: 'proxy_used',
    facts: [
      { name: 'proxy', value: 'http://proxy.example:8080' },
      {
        name: 'variables',
        value: 'HTTP_PROXY=http://proxy:3128, HTTPS_PROXY=http://proxy.example:8080, ALL_PROXY=socks5://proxy:1080',
      },
    ],
  })
})

test('what is set is no proxy', async () => {
  const unusable = () => Promise.reject(new Error('That is no address.'))
  expect(await found(unusable)).toEqual({ state: 'problem', finding: 'proxy_unusable', facts: [] })
})
