import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { GitSignIns, type SignedIn } from '../../server/git-providers/sign-in/sign-ins.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeGitProvider, startGitProvider } from '../fakes/git-provider.ts'
import { outbound } from '../parts/outbound.ts'

const fetch = outbound.fetch({ namedBy: 'person', limits: { ...ANSWER_LIMITS.git, headersMs: 300 } })
const never = new AbortController().signal
let provider: FakeGitProvider
let waits: number[]
let stored: SignedIn[]
let signIns: GitSignIns

beforeEach(async () => {
  await signIns?.close()
  await provider?.close()
  provider = await startGitProvider()
  waits = []
  stored = []
  signIns = opened()
})

afterAll(async () => {
  await signIns?.close()
  await provider?.close()
})

/** Its seconds are short; what it would have waited is noted. */
function opened(store?: (signedIn: SignedIn) => Promise<string>): GitSignIns {
  return new GitSignIns({
    fetch,
    store:
      store ??
      (async signedIn => {
        stored.push(signedIn)
        return 'octocat'
      }),
    wait: async (milliseconds, signal) => {
      waits.push(milliseconds)
      await new Promise(resolve => setImmediate(resolve))
      signal.throwIfAborted()
    },
  })
}

const start = (
  name: 'github' | 'gitlab' | 'bitbucket' = 'github',
  client_id = 'known-client',
  host = provider.address,
) => signIns.start({ provider: name, host, client_id }, never)
const ended = async (id: string) => {
  await expect.poll(() => signIns.get(id).status, { timeout: 5000 }).not.toBe('pending')
  return signIns.get(id)
}
const polled = (count: number) => expect.poll(() => provider.signIns.polls.length).toBeGreaterThanOrEqual(count)

describe('a sign-in', () => {
  it.each([
    ['github', 'WDJB-MJHT', '/login/device', 'repo'],
    ['gitlab', '0A44L90H', '/oauth/device', 'api'],
  ] as const)(
    'to %s shows a code and where to enter it, and stores the token once it is allowed',
    async (name, code, path, scope) => {
      const begun = await start(name)
      expect(begun).toMatchObject({ status: 'pending', user_code: code, verification_uri: provider.address + path })
      expect(Date.parse(begun.expires_at ?? '') - Date.now()).toBeGreaterThan(590_000)
      expect(Object.fromEntries(provider.signIns.forms[0] ?? [])).toEqual({ client_id: 'known-client', scope })
      await polled(2)
      provider.signIns.person = 'allows'
      expect(await ended(begun.id)).toMatchObject({
        status: 'succeeded',
        user: 'octocat',
        user_code: null,
        error: null,
      })
      const [device, access, refresh] = provider.signIns.secrets
      expect(stored).toMatchObject([
        { provider: name, host: provider.address, clientId: 'known-client', grant: { token: access } },
      ])
      expect(stored[0]?.grant.renewal).toEqual(
        name === 'gitlab' ? { refreshToken: refresh, expiresAt: expect.any(Number) } : null,
      )
      expect(JSON.stringify(begun)).not.toContain(device)
    },
  )

  it('asks more slowly each time that it is asked to, for good, and keeps to the interval otherwise', async () => {
    provider.signIns.errors.push('authorization_pending', 'slow_down', 'authorization_pending', 'slow_down')
    provider.signIns.person = 'allows'
    await ended((await start()).id)
    expect(waits).toEqual([1000, 1000, 6000, 6000, 11_000])
  })

  it('goes on while the provider cannot be reached, ever more slowly, and says so', async () => {
    const { id } = await start()
    provider.mood = 'down'
    await expect.poll(() => signIns.get(id).error).toMatch(/answered with status 502\. Atelier goes on asking/)
    for (const mood of ['web page', 'redirecting', 'rate-limited', 'silent'] as const) {
      provider.mood = mood
      const before = waits.length
      await expect.poll(() => waits.length, { timeout: 5000 }).toBeGreaterThan(before + 1)
      expect(signIns.get(id)).toMatchObject({ status: 'pending', error: expect.stringContaining('goes on asking') })
    }
    expect(Math.max(...waits)).toBe(60_000)
    provider.mood = 'well'
    await expect.poll(() => signIns.get(id).error).toBeNull()
    provider.signIns.person = 'allows'
    expect(await ended(id)).toMatchObject({ status: 'succeeded' })
  })

  it.each([
    ['access_denied', 'denied', /was refused at GitHub at localhost/],
    ['expired_token', 'expired', /has expired before it was entered/],
    ['incorrect_device_code', 'failed', /ended the sign-in with “incorrect_device_code”/],
  ] as const)('that is answered with %s is %s', async (error, status, words) => {
    provider.signIns.errors.push(error)
    const { id } = await start()
    const after = await ended(id)
    expect(after).toMatchObject({ status, error: expect.stringMatching(words), user_code: null, expires_at: null })
    for (const secret of provider.signIns.secrets) expect(JSON.stringify(after)).not.toContain(secret)
    expect(stored).toEqual([])
    await signIns.close()
    expect(provider.signIns.polls).toHaveLength(1)
  })

  it('expires by itself when its time is over, without another poll', async () => {
    Object.assign(provider.signIns, { codeLife: 0.5, interval: 2 })
    expect(await ended((await start()).id)).toMatchObject({ status: 'expired' })
    expect(provider.signIns.polls).toEqual([])
  })

  it('expires within half an hour, however long the provider lets it', async () => {
    provider.signIns.codeLife = 10_000_000
    expect(Date.parse((await start()).expires_at ?? '') - Date.now()).toBeLessThanOrEqual(1_800_000)
  })

  it('that is cancelled asks no more, and is forgotten', async () => {
    const { id } = await start()
    await polled(1)
    provider.mood = 'silent'
    await signIns.cancel(id)
    expect(stored).toEqual([])
    expect(() => signIns.get(id)).toThrow('There is no such sign-in')
  })

  it('to the same provider takes the place of the one before, and two providers go side by side', async () => {
    const first = await start('github')
    const second = await start('github')
    const other = await start('gitlab')
    expect(() => signIns.get(first.id)).toThrow('another one has begun')
    provider.signIns.person = 'allows'
    expect(await ended(second.id)).toMatchObject({ status: 'succeeded' })
    expect(await ended(other.id)).toMatchObject({ status: 'succeeded' })
    expect(stored.map(one => one.provider).sort()).toEqual(['github', 'gitlab'])
  })

  it('whose token cannot be stored has failed, in the words of what went wrong', async () => {
    signIns = opened(async () => {
      throw new Error('secret detail')
    })
    provider.signIns.person = 'allows'
    const after = await ended((await start()).id)
    expect(after).toMatchObject({ status: 'failed', error: expect.not.stringContaining('secret detail') })
  })
})

describe('what cannot begin', () => {
  it.each([
    ['bitbucket', 'known-client', null, /Bitbucket has no sign-in with a code/],
    ['github', 'unknown', null, /GitHub at localhost:\d+ does not know an application with this client ID\. Copy/],
    ['gitlab', 'unknown', null, /or is older than GitLab 17\.9/],
    ['github', 'known-client', 'device_flow_disabled', /Turn the device flow on/],
    ['gitlab', 'known-client', 'invalid_scope', /does not give this application the scope “api”/],
  ] as const)('%s with the client %s and %s says what to do', async (name, client, error, words) => {
    if (error) provider.signIns.errors.push(error)
    await expect(start(name, client)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(words),
    })
  })

  it.each(['down', 'web page', 'redirecting', 'rate-limited', 'silent'] as const)(
    'with a provider that is %s is a matter of the provider',
    async mood => {
      provider.mood = mood
      await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' })
    },
  )

  it.each([
    'http://elsewhere.example/login/device',
    'https://elsewhere.example/login/device',
    'javascript:alert(1)',
    'https://localhost:pass@localhost/login',
    'file:///etc/passwd',
  ])('sends nobody to %s', async address => {
    provider.signIns.verificationUri = address
    await expect(start()).rejects.toMatchObject({ code: expect.stringMatching('bad_request|provider_unavailable') })
  })
})
