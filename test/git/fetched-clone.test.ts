import { describe, expect } from 'vitest'
import { addLarge, addMade, it as base, clone, commit, left, run } from '../fixtures/closed-sandbox.ts'
import { replaced } from '../parts/engine/replaced.ts'
import { startGitServer } from '../parts/git-server.ts'

const CREDENTIALS = { user: 'oauth2', password: 'glpat-a-real-looking-token' }

const it = base
  .extend('locked', { scope: 'file' }, async ({}, { onCleanup }) => {
    const locked = await startGitServer({ credentials: CREDENTIALS })
    onCleanup(() => locked.close())
    return locked
  })
  /** Clones into a sandbox without a network and into one with it, and shows how each looks afterwards. */
  .extend(
    'cloneBoth',
    { scope: 'file' },
    ({ closed, reaching }) =>
      async (url: string, branch: string | null = null) => {
        const looks = []
        for (const sandbox of [closed, reaching]) {
          const folder = await clone(sandbox, url, { branch })
          looks.push(await run(sandbox, LOOKS, folder))
          await run(sandbox, 'find . -mindepth 1 -delete')
        }
        const [fetched = '', cloned = ''] = looks
        return { fetched, cloned }
      },
  )

/** Everything of a clone that somebody could tell it by; where its objects lie is git's own business. */
const LOOKS = `git status; git log --oneline --decorate || true; git branch -avv; git remote -v; git tag -n; git for-each-ref
git symbolic-ref HEAD || true; git symbolic-ref refs/remotes/origin/HEAD || true; git reflog --all
git ls-files --stage --eol; ls -lA --time-style=+ . | sed 1d; cat .git/HEAD .git/config; ls .git .git/refs/*; git fsck; git rev-parse --show-object-format`

it.afterEach(async ({ closed }) => {
  await run(closed, 'find . -mindepth 1 -delete')
})

describe('a clone into a sandbox without a network', () => {
  it('is as one that git made through the network', async ({ git, cloneBoth }) => {
    const script = `echo a >a.txt; ${commit('a')}; git tag light; git checkout -qb old; git checkout -q trunk
      mkdir -p bin 'with space'; echo '#!/bin/sh' >bin/run; chmod +x bin/run; ln -s bin/run link; echo ü >'with space/ü.txt'
      printf 'a\\r\\n' >crlf.txt; echo '*.txt text=auto' >.gitattributes; ${commit('more')}
      git tag -a v1 -m 'The first one'; git branch feature/side; git checkout -qb aaa; echo b >b.txt; ${commit('b')}`
    await addMade(git, 'tool', script)
    const { fetched, cloned } = await cloneBoth(git.url('tool'))
    expect(fetched).toBe(cloned)
    expect(fetched).toContain("Your branch is up to date with 'origin/trunk'.")
    expect(fetched).toContain('remotes/origin/HEAD         -> origin/trunk')
    expect(fetched).toContain(`clone: from http://host.docker.internal:${git.port}/tool.git`)
  })

  it.for(['feature/side', 'v1', 'light', 'aaa'])(
    'has %s checked out where that was asked for',
    async (branch, { git, cloneBoth }) => {
      const { fetched, cloned } = await cloneBoth(git.url('tool'), branch)
      expect(fetched).toBe(cloned)
    },
  )

  it('is that of a repository whose HEAD is on no branch', async ({ git, cloneBoth }) => {
    await git.git('tool', 'clone', '--quiet', '--bare', '.', '../detached.git')
    await git.git('detached', 'update-ref', '--no-deref', 'HEAD', 'refs/tags/light^{commit}')
    await git.git('detached', 'branch', '-D', 'old')
    const { fetched, cloned } = await cloneBoth(git.url('detached'))
    expect(fetched).toBe(cloned)
    expect(fetched).toContain('Not currently on any branch.')
  })

  it('is that of a repository without a commit', async ({ git, cloneBoth }) => {
    await git.git('tool', 'init', '--quiet', '--bare', '--initial-branch=trunk', '../empty.git')
    const { fetched, cloned } = await cloneBoth(git.url('empty'))
    expect(fetched).toBe(cloned)
    expect(fetched).toContain('On branch trunk\n\nNo commits yet')
  })

  it('is that of a repository with names of SHA-256', async ({ git, cloneBoth }) => {
    await git.git('tool', 'init', '--quiet', '--bare', '--object-format=sha256', '../long.git')
    const tree = (await git.git('long', 'hash-object', '-t', 'tree', '-w', '/dev/null')).trim()
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid']
    const made = await git.git('long', ...identity, 'commit-tree', tree, '-m', 'Nothing')
    await git.git('long', 'update-ref', 'HEAD', made.trim())
    const { fetched, cloned } = await cloneBoth(git.url('long'))
    expect(fetched).toBe(cloned)
    expect(fetched).toMatch(/\nsha256\n$/)
  })

  it('has all of many branches and tags', async ({ git, closed }) => {
    await git.add('many', { 'a.txt': 'a\n' })
    const names = Array.from({ length: 1500 }, (_, index) => [`heads/team/${index}`, `tags/v${index}`]).flat()
    await git.git('many', 'fetch', '--quiet', '.', ...names.map(name => `refs/heads/main:refs/${name}`))
    const folder = await clone(closed, git.url('many'))
    expect(await run(closed, 'git branch -r | wc -l; git tag | wc -l', folder)).toBe('1502\n1500\n')
  })

  it('takes megabytes, and says how many have come', async ({ git, closed }) => {
    await addLarge(git)
    const lines: string[] = []
    const folder = await clone(closed, git.url('large'), { onProgress: line => lines.push(line) })
    expect(lines).toContain('Receiving 8.0 MB')
    expect(await run(closed, 'wc -c <large.bin', folder)).toBe('8000000\n')
    expect(await left(closed)).not.toContain('atelier-clone')
  })

  it('leaves a folder that is there and empty in its place', async ({ git, closed }) => {
    await run(closed, 'mkdir -p kept/tool; chmod 700 kept/tool')
    const inKept = replaced(closed, { workingDir: `${closed.workingDir}/kept` })
    const folder = await clone(inKept, git.url('tool'))
    expect(await run(closed, 'stat -c %a .; git status --short', folder)).toBe('700\n')
  })
})

describe('what is private', () => {
  it('comes with the token, which never enters the sandbox', async ({ locked, closed }) => {
    await locked.add('team/tool', { 'main.txt': 'private\n' })
    const credentials = { username: CREDENTIALS.user, password: CREDENTIALS.password }
    const asked: string[] = []
    const watched = replaced(closed, {
      exec: request => {
        asked.push(JSON.stringify(request))
        return closed.exec(request)
      },
    })
    const folder = await clone(watched, locked.url('team/tool'), { credentials })
    expect(await run(closed, 'cat main.txt', folder)).toBe('private\n')
    expect(asked.join('\n')).not.toMatch(/glpat|oauth2|helper/)
    expect(await run(closed, 'grep -rsE "glpat|oauth2" . /tmp || echo CLEAN', folder)).toBe('CLEAN\n')
  })

  it('is refused in words without a token, and with one that is not right', async ({ locked, closed }) => {
    const url = locked.url('team/tool')
    await expect(clone(closed, url)).rejects.toMatchObject({
      code: 'provider_token_missing',
      message: `Nothing was cloned: localhost:${locked.port} asks for a login, and no token is stored for it. Store one in Settings › Git, then try again.`,
    })
    await expect(clone(closed, url, { credentials: { username: 'a', password: 'b' } })).rejects.toMatchObject({
      code: 'provider_token_invalid',
      message: expect.stringContaining('does not let the stored token clone, so nothing was cloned.'),
    })
  })
})
