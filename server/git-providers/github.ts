import { z } from 'zod'
import { baseOf, bearer, type Provider } from './provider.ts'

/** github.com, or a GitHub Enterprise Server at its host. */
export const github: Provider = {
  title: 'GitHub',
  host: 'github.com',
  api: origin => (origin.host === 'github.com' ? 'https://api.github.com' : `${baseOf(origin)}/api/v3`),
  authorization: bearer,
  credentials: token => ({ username: 'x-access-token', password: token }),
  userPath: '/user',
  user: z.object({ id: z.number(), login: z.string() }).transform(({ login }) => login),
  // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#device-flow
  deviceFlow: { codePath: '/login/device/code', tokenPath: '/login/oauth/access_token', scope: 'repo' },
}
