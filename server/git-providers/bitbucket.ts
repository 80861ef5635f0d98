import { z } from 'zod'
import { bitbucketDataCenter } from './bitbucket-data-center.ts'
import { basic, bearer, type GitCredentials, type Provider } from './provider.ts'

/** Bitbucket Cloud. A token is an access token, or `user:app_password`. */
export const bitbucket: Provider = {
  title: 'Bitbucket',
  host: 'bitbucket.org',
  selfHosted: bitbucketDataCenter,
  api: () => 'https://api.bitbucket.org/2.0',
  authorization: token => {
    const login = loginOf(token)
    return login ? basic(login) : bearer(token)
  },
  credentials: token => loginOf(token) ?? { username: 'x-token-auth', password: token },
  userPath: '/user',
  user: z.object({ uuid: z.string(), display_name: z.string() }).transform(({ display_name }) => display_name),
}

function loginOf(token: string): GitCredentials | undefined {
  const at = token.indexOf(':')
  return at > 0 ? { username: token.slice(0, at), password: token.slice(at + 1) } : undefined
}
