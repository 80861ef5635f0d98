import { afterEach, expect, it } from 'vitest'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { FLUSH, pktLine } from '../../server/git/transfer/pkt-line.ts'
import { fetchBundle } from '../../server/git/transfer/remote-bundle.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type LoopbackServer, startLoopback } from '../parts/loopback.ts'
import { outbound } from '../parts/outbound.ts'

const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitTransfer })
const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)] as const
const opened: LoopbackServer[] = []

afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

/** A server that lists these refs, and answers with these lines where it is asked for their objects. */
async function remoteWith(
  refs: readonly (readonly [name: string, object: string])[],
  { capabilities = '', objects = [pktLine('NAK\n'), pktLine('\u0001PACK')] as Buffer[] } = {},
) {
  const lines = refs.map(([name, object], index) =>
    pktLine(`${object} ${name}${index === 0 ? `\0side-band-64k ${capabilities}` : ''}\n`),
  )
  const listed = Buffer.concat([pktLine('# service=git-upload-pack\n'), FLUSH, ...lines, FLUSH])
  const server = await startLoopback(({ method }, reply) =>
    reply.end(method === 'GET' ? listed : Buffer.concat([...objects, FLUSH])),
  )
  opened.push(server)
  const signal = AbortSignal.timeout(20_000)
  const options = { url: `${server.origin}/a.git`, credentials: undefined, fetch, signal }
  return { server, bundle: (branch: string | null = null) => fetchBundle(options, branch) }
}

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of bytes) text += chunk.toString('latin1')
  return text
}

it('holds branches and tags, and no name that leads elsewhere', async () => {
  const hostile = [
    'refs/heads/../evil',
    'refs/heads/-x',
    'refs/heads/a b',
    'refs/heads/a.lock',
    'refs/remotes/origin/x',
  ]
  const more = ['refs/pull/1/head', 'refs/heads/a\u001b[31m', 'refs/tags/v1^{}', 'refs/stash', 'config']
  const { server, bundle } = await remoteWith(
    [
      ['HEAD', ONE],
      ['refs/heads/main', ONE],
      ...[...hostile, ...more].map(name => [name, '3'.repeat(40)] as const),
      ['refs/heads/long', '4'.repeat(64)],
      ['refs/tags/v1', TWO],
    ],
    { capabilities: 'symref=HEAD:refs/heads/main' },
  )
  const { bytes, defaultBranch } = await bundle()
  expect(await textOf(bytes)).toBe(`# v2 git bundle\n${ONE} HEAD\n${ONE} refs/heads/main\n${TWO} refs/tags/v1\n\nPACK`)
  expect(defaultBranch).toBe('main')
  expect(server.calls[1]?.body.match(/want \w+/g)).toEqual([`want ${ONE}`, `want ${TWO}`])
})

it.each(['refs/heads/--upload-pack=x', 'refs/heads/../x', 'refs/heads/missing', 'HEAD', 'core.pager=x'])(
  'takes no default branch from the capability symref=HEAD:%s',
  async name => {
    const refs = [['HEAD', ONE] as const, ['refs/heads/main', ONE] as const]
    const { bundle } = await remoteWith(refs, { capabilities: `symref=HEAD:${name}` })
    expect((await bundle()).defaultBranch).toBeNull()
  },
)

it('ends with the words of the server, clipped, whenever it has some', async () => {
  const refs = [['refs/heads/main', ONE] as const]
  const refusing = await remoteWith(refs, { objects: [pktLine(`ERR upload-pack: ${'no '.repeat(2000)}`)] })
  const refused = await refusing.bundle().catch(error => error)
  expect(refused).toMatchObject({ code: 'git_refused', message: expect.stringMatching(/refused\. It said: …?[no ]+$/) })
  expect(refused.message.length).toBeLessThan(1000)
  const objects = [pktLine('NAK\n'), pktLine('\u0001PACK'), pktLine('\u0003the disk is full')]
  const { bytes } = await (await remoteWith(refs, { objects })).bundle()
  await expect(textOf(bytes)).rejects.toMatchObject({ message: expect.stringContaining('It said: the disk is full') })
})

it('is refused where the remote has more refs than one repository may bring', async () => {
  const refs = Array.from({ length: BOUNDS.clonedRefs.limit + 1 }, (_, at) => [`refs/tags/v${at}`, ONE] as const)
  const { server, bundle } = await remoteWith(refs)
  await expect(bundle()).rejects.toMatchObject({
    code: 'git_refused',
    message: expect.stringContaining('more than 100000 branches and tags'),
  })
  expect(server.calls).toHaveLength(1)
})

it('asks for nothing where the branch is not there', async () => {
  const { server, bundle } = await remoteWith([['refs/heads/main', ONE]])
  await expect(bundle('missing')).rejects.toMatchObject({
    message: expect.stringContaining('remote branch missing not found at 127.0.0.1'),
  })
  expect(server.calls).toHaveLength(1)
})
