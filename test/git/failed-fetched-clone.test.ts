import { describe, expect } from 'vitest'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { startGitProxy } from '../fakes/git-proxy.ts'
import { addLarge, clone, it, left, openSandbox, run } from '../fixtures/closed-sandbox.ts'
import { replaced } from '../parts/engine/replaced.ts'
import { busyboxImage } from '../parts/engine/sandbox.ts'
import { outbound } from '../parts/outbound.ts'

it.beforeAll(async ({ git }) => {
  await git.add('tool', { 'main.txt': 'on main\n' })
  await addLarge(git)
})

it.afterEach(async ({ closed }) => {
  await run(closed, 'find . -mindepth 1 -delete')
})

describe('nothing is left of a clone', () => {
  it('of a branch or a repository that is not there', async ({ git, closed }) => {
    const before = await left(closed)
    await expect(clone(closed, git.url('tool'), { branch: 'missing' })).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('remote branch missing not found'),
    })
    await expect(clone(closed, git.url('missing'))).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('has no such repository, or does not show it without a token.'),
    })
    expect(await left(closed)).toBe(before)
  })

  it('that breaks off', async ({ git, closed }) => {
    const before = await left(closed)
    const server = await startGitProxy(git, (answer, reply) => {
      let sent = 0
      answer.on('data', chunk => {
        sent += chunk.length
        if (sent < 4_000_000) reply.write(chunk)
        else reply.destroy()
      })
    })
    try {
      await expect(clone(closed, server.url('large'))).rejects.toMatchObject({
        code: 'provider_unavailable',
        message: expect.stringMatching(/^Nothing was cloned: localhost:\d+ broke off\. The connection to .* broke\./),
      })
    } finally {
      server.close()
    }
    expect(await left(closed)).toBe(before)
  })

  it('that is given up while bytes come, and while git takes them', async ({ git, closed }) => {
    const before = await left(closed)
    const server = await startGitProxy(git, (answer, reply) => {
      let sent = 0
      answer.on('data', chunk => {
        if (sent < 1_000_000) reply.write(chunk)
        sent += chunk.length
      })
    })
    try {
      for (const [url, said] of [
        [server.url('large'), / MB$/],
        [git.url('large'), /^(?!Fetching|.* MB$)/],
      ] as const) {
        const giveUp = new AbortController()
        const onProgress = (line: string) => {
          if (said.test(line)) giveUp.abort(new Error('given up'))
        }
        await expect(clone(closed, url, { signal: giveUp.signal, onProgress })).rejects.toThrow('given up')
        expect(await left(closed)).toBe(before)
      }
    } finally {
      server.close()
    }
  })

  it('whose server leaves out what the branches lead to', async ({ git, closed }) => {
    const before = await left(closed)
    const empty = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')
    const band = Buffer.concat([Buffer.from('0025'), Buffer.from([1]), empty])
    const server = await startGitProxy(git, (answer, reply) => {
      answer.resume()
      reply.end(Buffer.concat([Buffer.from('0008NAK\n'), band, Buffer.from('0000')]))
    })
    try {
      await expect(clone(closed, server.url('tool'))).rejects.toMatchObject({
        code: 'clone_failed',
        message: expect.stringMatching(/git could not clone .*(fatal|error): /),
      })
    } finally {
      server.close()
    }
    expect(await left(closed)).toBe(before)
  })
})

describe('before anything is fetched', () => {
  it('an image without git is refused', async ({ parts, git }) => {
    const bare = await openSandbox(parts, 'none', await busyboxImage(parts.outside))
    await expect(clone(bare, git.url('tool'))).rejects.toMatchObject({
      code: 'clone_failed',
      message: expect.stringMatching(/^This sandbox's image has no git\./),
    })
  })

  it('a folder with something in it is refused, and stays', async ({ git, closed }) => {
    await run(closed, 'mkdir full; mkdir full/tool; echo mine >full/tool/mine.txt')
    const inFull = replaced(closed, { workingDir: `${closed.workingDir}/full` })
    await expect(clone(inFull, git.url('tool'))).rejects.toMatchObject({
      code: 'clone_failed',
      message: expect.stringContaining("tool' already exists and is not an empty directory."),
    })
    expect(await run(closed, 'cat full/tool/mine.txt')).toBe('mine\n')
  })

  it.for(['ssh://git@git.example.com/a/b.git', 'git@git.example.com:a/b.git', 'git://git.example.com/a/b.git'])(
    '%s is refused, with what to do instead',
    async (url, { closed }) => {
      await expect(clone(closed, url)).rejects.toMatchObject({
        code: 'clone_failed',
        message: expect.stringMatching(
          /Give its https address, or choose a sandbox whose network reaches git\.example\.com:\d+\.$/,
        ),
      })
    },
  )

  it('a host of this machine that nobody has allowed is refused, with the setting that allows it', async ({
    git,
    closed,
  }) => {
    const strict = outbound.fetch({ namedBy: 'other', limits: ANSWER_LIMITS.gitTransfer })
    await expect(clone(closed, git.url('tool'), { fetch: strict })).rejects.toMatchObject({
      code: 'clone_failed',
      details: { host: `localhost:${git.port}`, setting: 'allowed_hosts' },
    })
  })

  it('a server is followed to another address of its own, and to no other server', async ({ git, closed }) => {
    const own = await startGitProxy(git, undefined, ({ url = '' }) => url.replace('/tool/', '/tool.git/'))
    const other = await startGitProxy(git, undefined, ({ url = '' }) => `http://localhost:${git.port}${url}`)
    try {
      const folder = await clone(closed, own.url('tool').replace(/\.git$/, ''))
      expect(await run(closed, 'git remote get-url origin', folder)).toBe(
        `http://host.docker.internal:${own.port}/tool\n`,
      )
      await expect(clone(closed, other.url('large'))).rejects.toMatchObject({
        code: 'git_refused',
        message: expect.stringContaining('says that the repository has moved. Give its new address.'),
      })
    } finally {
      own.close()
      other.close()
    }
  })
})
