import { afterEach, describe, expect, it } from 'vitest'
import { FLUSH, pktLine } from '../../server/git/transfer/pkt-line.ts'
import { updateRef } from '../../server/git/transfer/receive-pack.ts'
import { RemoteRepository } from '../../server/git/transfer/remote-repository.ts'
import { Forges } from '../../server/git-providers/api/forges.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type LoopbackServer, startLoopback } from '../parts/loopback.ts'
import { outbound } from '../parts/outbound.ts'

const { signal } = new AbortController()
const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.git })
const credentials = { username: 'x-access-token', password: 'token' }
const opened: LoopbackServer[] = []

afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

async function serverThat(...given: Parameters<typeof startLoopback>): Promise<LoopbackServer> {
  const server = await startLoopback(...given)
  opened.push(server)
  return server
}

/** What git's server shows of a repository without a branch. */
const ADVERTISED = Buffer.concat([
  pktLine('# service=git-receive-pack\n'),
  FLUSH,
  pktLine(`${'0'.repeat(40)} capabilities^{}\0report-status ofs-delta`),
  FLUSH,
])

describe.each([301, 302, 303, 307, 308])('a git server that redirects with status %i', status => {
  it.each(['push', 'fetch'] as const)('ends a %s, and the place that it names hears nothing', async way => {
    const thief = await serverThat((_, reply) => reply.end('stolen'))
    const server = await serverThat((_, reply) =>
      reply.writeHead(status, { location: `${thief.origin}/team/tool` }).end(),
    )
    const remote = new RemoteRepository(way, { url: `${server.origin}/team/tool.git`, credentials, fetch, signal })
    await expect(remote.advertised()).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('has moved'),
    })
    expect(server.calls[0]?.headers.authorization).toMatch(/^Basic /)
    expect(thief.calls).toEqual([])
  })

  it('only once it gets the commits sends them nowhere', async () => {
    const thief = await serverThat((_, reply) => reply.end('stolen'))
    const server = await serverThat(({ method }, reply) => {
      if (method === 'GET') return reply.end(ADVERTISED)
      reply.writeHead(status, { location: `${thief.origin}/team/tool.git/git-receive-pack` }).end()
    })
    const remote = new RemoteRepository('push', { url: `${server.origin}/team/tool.git`, credentials, fetch, signal })
    const advertised = await remote.advertised()
    const update = { ref: 'refs/heads/x', from: null, to: 'a'.repeat(40) }
    async function* pack() {
      yield Buffer.from('PACK')
    }
    await expect(updateRef(remote, update, advertised, pack())).rejects.toMatchObject({ code: 'git_refused' })
    expect(thief.calls).toEqual([])
  })
})

describe('the API of a provider that redirects', () => {
  const row = { provider: 'github', user_id: null, vault_item: '1', software: null, renewal: null } as const
  const outside = outbound.fetch({ namedBy: 'other', limits: ANSWER_LIMITS.checkLog })
  const forgesAt = (host: string, elsewhere = outside) =>
    new Forges({
      tokens: { rows: () => [{ ...row, host }], token: async () => 'token', renewed: async () => null },
      fetch,
      logs: { own: fetch, elsewhere },
    })

  it.each([302, 307, 308])('gets a pull request once, and no other place gets it (%i)', async status => {
    const thief = await serverThat((_, reply) => reply.end('{}'))
    for (const location of [`${thief.origin}/pulls`, '/pulls']) {
      const server = await serverThat((_, reply) => reply.writeHead(status, { location }).end())
      const asked = { title: 'Words', body: 'Of the work.', head: 'x', base: 'main', draft: false }
      const opening = forgesAt(server.origin).ask('github', signal, ({ pullRequests }) =>
        pullRequests.open('octocat/hello', asked),
      )
      await expect(opening).rejects.toMatchObject({ code: 'provider_unavailable' })
      expect(server.calls).toHaveLength(1)
    }
    expect(thief.calls).toEqual([])
  })

  const logOf = (forges: Forges) =>
    forges.ask('github', signal, ({ pullRequests }) => pullRequests.checkLog('octocat/hello', '7'))

  it('to a log at another host has it read without the token, and not on this machine', async () => {
    const storage = await serverThat((_, reply) => reply.end('the log'))
    const server = await serverThat((_, reply) => reply.writeHead(302, { location: `${storage.origin}/log` }).end())
    expect(await logOf(forgesAt(server.origin))).toBeNull()
    expect(storage.calls).toEqual([])
    expect(await logOf(forgesAt(server.origin, fetch))).toBe('the log')
    expect(storage.calls[0]?.headers).not.toHaveProperty('authorization')
  })

  it('to a log at its own host has it read there without the token, also in a private network', async () => {
    const server = await serverThat(({ url }, reply) => {
      if (url === '/log') return reply.end('the log')
      reply.writeHead(302, { location: '/log' }).end()
    })
    expect(await logOf(forgesAt(server.origin))).toBe('the log')
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token', undefined])
  })
})
