import { z } from 'zod'
import { baseOf, bearer, type Provider } from './provider.ts'

/** gitlab.com, or an installation of one's own. */
export const gitlab: Provider = {
  title: 'GitLab',
  host: 'gitlab.com',
  api: origin => `${baseOf(origin)}/api/v4`,
  authorization: bearer,
  credentials: token => ({ username: 'oauth2', password: token }),
  userPath: '/user',
  user: z.object({ id: z.number(), username: z.string() }).transform(({ username }) => username),
  // https://docs.gitlab.com/api/oauth2/#device-authorization-grant-flow
  deviceFlow: { codePath: '/oauth/authorize_device', tokenPath: '/oauth/token', scope: 'api' },
}
