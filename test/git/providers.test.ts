import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GitProvider } from '../../server/api/v1/conversation/conversations.ts'
import { bitbucket } from '../../server/git-providers/bitbucket.ts'
import { bitbucketDataCenter } from '../../server/git-providers/bitbucket-data-center.ts'
import { github } from '../../server/git-providers/github.ts'
import { gitlab } from '../../server/git-providers/gitlab.ts'
import { originOf } from '../../server/git-providers/providers.ts'
import { verifyToken } from '../../server/git-providers/verify-token.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeGitProvider, type Mood, startGitProvider } from '../fakes/git-provider.ts'
import { outbound } from '../parts/outbound.ts'

const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.git })

describe('the address of a provider', () => {
  it.each([
    [github, null, 'https://api.github.com'],
    [github, '', 'https://api.github.com'],
    [github, 'github.com', 'https://api.github.com'],
    [github, 'git.example.com', 'https://git.example.com/api/v3'],
    [gitlab, null, 'https://gitlab.com/api/v4'],
    [gitlab, 'https://example.com/gitlab/', 'https://example.com/gitlab/api/v4'],
    [gitlab, 'http://localhost:8080', 'http://localhost:8080/api/v4'],
    [bitbucket, null, 'https://api.bitbucket.org/2.0'],
    [bitbucketDataCenter, 'example.com', 'https://example.com/rest/api/1.0'],
  ])('$title at %s is %s', (provider, host, api) => {
    expect(provider.api(originOf(provider, host))).toBe(api)
  })

  it.each(['user:password@example.com', 'ftp://example.com', 'https://example.com/?a=1', 'a b', 'javascript:alert(1)'])(
    'is refused when it is "%s"',
    host => {
      expect(() => originOf(gitlab, host)).toThrow('The host of GitLab is not valid.')
    },
  )
})

describe('how git presents a token', () => {
  it.each([
    [github, 'ghp_1', 'x-access-token', 'ghp_1'],
    [gitlab, 'glpat-1', 'oauth2', 'glpat-1'],
    [bitbucket, 'plain', 'x-token-auth', 'plain'],
    [bitbucket, 'me:app:password', 'me', 'app:password'],
  ])('%#', (provider, token, username, password) => {
    expect(provider.credentials(token)).toEqual({ username, password })
  })
})

describe('a token', () => {
  let provider: FakeGitProvider
  beforeAll(async () => {
    provider = await startGitProvider()
    provider.accepted.add('Bearer right')
  })
  beforeEach(() => {
    provider.mood = 'well'
    provider.requests.length = 0
  })
  afterAll(() => provider?.close())

  const verify = (name: GitProvider, token: string, signal = AbortSignal.timeout(20_000)) =>
    verifyToken({ provider: name, token, host: provider.address }, { fetch, signal })

  it.each(['github', 'gitlab'] as const)('of %s is asked for there alone, once', async name => {
    await verify(name, 'right')
    expect(provider.requests).toEqual([
      { path: name === 'github' ? '/api/v3/user' : '/api/v4/user', authorization: 'Bearer right' },
    ])
  })

  it.each(['github', 'gitlab'] as const)('that %s refuses is invalid, in the words of existing clients', async name => {
    await expect(verify(name, 'wrong')).rejects.toMatchObject({
      code: 'provider_token_invalid',
      message: `Invalid token. Please make sure it is a valid ${name} token.`,
    })
  })

  it.each<Mood>(['down', 'rate-limited', 'web page', 'redirecting'])(
    'is neither right nor wrong when the provider is %s',
    async mood => {
      provider.mood = mood
      await expect(verify('gitlab', 'right')).rejects.toMatchObject({
        code: 'provider_unavailable',
        message: expect.stringContaining('Nothing was changed.'),
      })
      expect(provider.requests).toHaveLength(1)
    },
  )

  it('is neither right nor wrong when nobody listens', async () => {
    const nobody = { provider: 'gitlab', token: 'right', host: 'http://127.0.0.1:9' } as const
    await expect(verifyToken(nobody, { fetch, signal: AbortSignal.timeout(20_000) })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
  })

  it('is not waited for when the asking client has gone', async () => {
    provider.mood = 'silent'
    const controller = new AbortController()
    const reason = new Error('gone')
    const asked = verify('gitlab', 'right', controller.signal)
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
  })

  it('that no header can hold is invalid, and is not quoted', async () => {
    const rejection = verify('github', 'ünmöglich\u2603')
    await expect(rejection).rejects.toMatchObject({ code: 'provider_token_invalid', cause: undefined })
    await expect(rejection).rejects.not.toThrow(/nmöglich/)
  })

  it.each(['github', 'gitlab'] as const)('of enterprise_sso is that of the %s at its host', async name => {
    provider.only = name
    const user = name === 'github' ? 'octocat' : 'tanuki'
    expect(await verify('enterprise_sso', 'right')).toEqual({ user, software: name })
    await expect(verify('enterprise_sso', 'wrong')).rejects.toMatchObject({ code: 'provider_token_invalid' })
    provider.only = null
  })

  it('of enterprise_sso is refused without a host, and nobody is asked', async () => {
    const asked = { provider: 'enterprise_sso', token: 'right', host: ' ' } as const
    await expect(verifyToken(asked, { fetch, signal: AbortSignal.timeout(20_000) })).rejects.toMatchObject({
      code: 'provider_token_invalid',
      message:
        'Invalid token. Please make sure it is a valid enterprise_sso token. Give the host of your GitHub, GitLab or Bitbucket server with it.',
    })
    expect(provider.requests).toEqual([])
  })

  it.each<Mood>(['down', 'rate-limited', 'web page', 'redirecting'])(
    'of enterprise_sso is neither right nor wrong at a server that is %s',
    async mood => {
      provider.mood = mood
      await expect(verify('enterprise_sso', 'right')).rejects.toMatchObject({
        code: 'provider_unavailable',
        message: expect.stringMatching(
          /^The server at localhost:\d+ did not answer as GitHub, GitLab or Bitbucket does/,
        ),
      })
    },
  )
})
