import { z } from 'zod'
import { baseOf, basic, bearer, type Provider } from './provider.ts'

/** Bitbucket at a host of one's own. A token is an HTTP access token, or `user:token`, which git needs for a person's. */
export const bitbucketDataCenter: Provider = {
  title: 'Bitbucket Data Center',
  host: 'bitbucket.org',
  api: origin => `${baseOf(origin)}/rest/api/1.0`,
  authorization: token => (token.includes(':') ? basic(split(token)) : bearer(token)),
  credentials: split,
  repositoryUrl: (origin, repository) => `${baseOf(origin)}/scm/${repository}.git`,
  // There is no "who am I": an answer that needs a login names the user in a header.
  userPath: '/profile/recent/repos?limit=1',
  user: z.object({ values: z.array(z.unknown()) }).transform(() => 'Bitbucket user'),
  userHeader: 'x-ausername',
}

function split(token: string) {
  const at = token.indexOf(':')
  return at > 0
    ? { username: token.slice(0, at), password: token.slice(at + 1) }
    : { username: 'x-token-auth', password: token }
}
