import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { START } from '../../parts/client/gateway-conversation.ts'
import { watchSocket } from '../../parts/client/watch-gateway.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('other', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('run', { scope: 'file' }, ({ gateway }) => async (command: string, extra: object = {}) => {
    return (await gateway.call('POST', '/api/bash/execute_bash_command', { command, ...extra })).body
  })
  .extend(
    'upload',
    { scope: 'file' },
    ({ gateway }) =>
      async (path: string, content: Buffer, shape: 'query' | 'path' = 'query'): Promise<Response> => {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(content)]), 'name')
        const address =
          shape === 'query' ? `upload?path=${encodeURIComponent(path)}` : `upload/${encodeURIComponent(path)}`
        const headers = { 'X-Session-API-Key': gateway.key }
        return fetch(`${gateway.url}/api/file/${address}`, { method: 'POST', headers, body: form })
      },
  )
  .extend(
    'download',
    { scope: 'file' },
    ({ gateway }) =>
      async (path: string, shape: 'query' | 'path' = 'query'): Promise<Response> => {
        const address =
          shape === 'query' ? `download?path=${encodeURIComponent(path)}` : `download/${encodeURIComponent(path)}`
        return fetch(`${gateway.url}/api/file/${address}`, { headers: { 'X-Session-API-Key': gateway.key } })
      },
  )
  .extend('get', { scope: 'file' }, ({ gateway }) => async (path: string) => {
    return (await gateway.call('GET', `/api/git/${path}`)).body
  })

describe("git's own configuration", () => {
  it('has one line for folders that are safe, however many conversations began in the sandbox', async ({
    gateway,
    run,
  }) => {
    for (const _ of [1, 2]) {
      const started = await gateway.call('POST', '/api/conversations', { ...START, agent: {} })
      expect(started.status, JSON.stringify(started.body)).toBe(201)
    }
    expect((await run('git config --global --get-all safe.directory')).stdout).toBe('*\n')
  })
})

describe('commands', () => {
  it('run in a shell of their own and tell both streams apart', async ({ run }) => {
    const output = await run('cd /tmp; echo out; echo err >&2; exit 3')
    expect(output).toMatchObject({ kind: 'BashOutput', exit_code: 3, stdout: 'out\n', stderr: 'err\n', order: 0 })
    expect((await run('pwd', { cwd: '/etc' })).stdout).toBe('/etc\n')
  })

  it('are ended after their time, with what they started', async ({ run }) => {
    expect(await run('sleep 600 & echo begun; sleep 600', { timeout: 1 })).toMatchObject({ exit_code: -1 })
    expect((await run("pgrep -fc 'sleep 60[0]'")).stdout).toBe('0\n')
  })

  it('never see a key of ours', async ({ run, service, gateway }) => {
    const { stdout } = await run('env')
    expect(stdout).not.toContain(service.key)
    expect(stdout).not.toContain(gateway.key)
  })

  it('say what went wrong when they can not begin', async ({ run }) => {
    expect(await run('true', { cwd: '/nowhere' })).toMatchObject({
      exit_code: -1,
      stderr: expect.stringMatching(/nowhere/),
    })
  })

  it('send much output in pieces that are whole together', async ({ run, gateway }) => {
    const last = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo end')
    const path = `/api/bash/bash_events/search?kind__eq=BashOutput&command_id__eq=${last.command_id}`
    const { body } = await gateway.call('GET', path)
    const orders = body.items.map(({ order }: { order: number }) => order)
    expect(orders).toEqual([...orders.keys()])
    expect(orders.length).toBeGreaterThan(1)
    const text = body.items.map(({ stdout }: { stdout: string | null }) => stdout ?? '').join('')
    expect(text).toBe(`${'x'.repeat(3_000_000)}end\n`)
  })

  it('are found, paged, fetched and cleared, by their own sandbox only', async ({ gateway, run, other }) => {
    await gateway.call('DELETE', '/api/bash/bash_events')
    const started = (await gateway.call('POST', '/api/bash/start_bash_command', { command: 'echo started' })).body
    expect(started).toMatchObject({ kind: 'BashCommand', command: 'echo started', timeout: 300 })
    await run('true')
    const page = (await gateway.call('GET', '/api/bash/bash_events/search?limit=1')).body
    expect(page.items).toEqual([started])
    const next = (await gateway.call('GET', `/api/bash/bash_events/search?page_id=${page.next_page_id}`)).body
    expect(next.items[0].id).toBe(page.next_page_id)
    expect((await gateway.call('GET', `/api/bash/bash_events/${started.id}`)).body).toEqual(started)
    expect((await other.call('GET', `/api/bash/bash_events/${started.id}`)).status).toBe(404)
    expect((await other.call('GET', '/api/bash/bash_events/search')).body.items).toEqual([])
    expect((await gateway.call('DELETE', '/api/bash/bash_events')).body.cleared_count).toBeGreaterThan(2)
  })

  it('are run and followed over the socket', async ({ gateway }) => {
    const seen = await watchSocket(gateway, '/sockets/bash-events')
    const command = 'echo over the socket'
    seen.send({ command })
    // One that a test before has started may end now.
    const begun = await seen.until(frame => frame.kind === 'BashCommand' && frame.command === command)
    const output = await seen.until(frame => frame.kind === 'BashOutput' && frame.command_id === begun.id)
    expect(output).toMatchObject({ stdout: 'over the socket\n', exit_code: 0 })
    seen.send({ nothing: true })
    const refused = await seen.until(frame => frame.kind === 'BashError')
    expect(refused).toMatchObject({ code: 'bad_request', detail: expect.stringContaining('{command') })
    await seen.close()
  })
})

describe('files', () => {
  it.for(['query', 'path'] as const)(
    'come back as they went, with the path in the %s',
    async (shape, { upload, download, run }) => {
      const content = randomBytes(5_000_000)
      const path = `/workspace/new folder/${shape} ü.bin`
      expect((await upload(path, content, shape)).status).toBe(200)
      const reply = await download(path, shape)
      expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true)
      expect((await run('ls -A', { cwd: '/workspace/new folder' })).stdout).not.toContain('.atelier')
    },
  )

  it('keep mode and owner when they are replaced', async ({ run, upload }) => {
    await run('echo old > /tmp/script; chmod 750 /tmp/script')
    await upload('/tmp/script', Buffer.from('new'))
    expect((await run('stat -c %a /tmp/script; cat /tmp/script')).stdout).toBe('750\nnew')
  })

  it('are refused where there is none, for folders and for relative paths', async ({ download, upload }) => {
    expect((await download('/tmp/not-there')).status).toBe(404)
    expect((await download('/tmp')).status).toBe(400)
    expect((await upload('/tmp', Buffer.from('x'))).status).toBe(400)
    const relative = await upload('tmp/x', Buffer.from('x'))
    expect([relative.status, (await relative.json()).detail]).toEqual([400, 'Path must be absolute'])
  })

  it('are refused where no file comes along', async ({ gateway }) => {
    const empty = { method: 'POST', headers: { 'X-Session-API-Key': gateway.key } }
    const body = new FormData()
    body.append('other', 'text')
    for (const sent of [empty, { ...empty, body }]) {
      const reply = await fetch(`${gateway.url}/api/file/upload?path=/tmp/x`, sent)
      expect([reply.status, await reply.json()]).toMatchObject([
        422,
        { detail: [{ loc: ['body', 'file'], type: 'missing' }] },
      ])
    }
  })

  it('are no folders', async ({ run, gateway }) => {
    await run('echo x > /tmp/plain')
    for (const [method, path] of [
      ['POST', 'create_directory?path=/tmp/plain'],
      ['GET', 'search_subdirs?path=/tmp/plain'],
      ['GET', 'archive?path=/tmp/plain'],
    ] as const) {
      const reply = await gateway.call(method, `/api/file/${path}`)
      expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('not a directory')])
    }
  })

  it('are refused above 100 MB, and leave nothing behind', async ({ upload, run }) => {
    expect((await upload('/tmp/huge', Buffer.alloc(100_100_000))).status).toBe(413)
    expect((await run('ls -A /tmp')).stdout).not.toMatch(/huge|[.]atelier/)
  })

  it('have folders, which can be made and looked through', async ({ gateway }) => {
    await gateway.call('POST', '/api/file/create_directory?path=/tmp/a/b')
    await gateway.call('POST', '/api/file/create_directory?path=/tmp/a/.hidden')
    expect((await gateway.call('GET', '/api/file/search_subdirs?path=/tmp/a')).body).toEqual({
      items: [{ name: 'b', path: '/tmp/a/b' }],
      next_page_id: null,
    })
    const all = await gateway.call('GET', '/api/file/search_subdirs?path=/tmp/a&include_hidden=true&limit=1')
    expect(all.body).toMatchObject({ items: [{ name: '.hidden' }], next_page_id: 'b' })
    expect((await gateway.call('GET', '/api/file/search_subdirs?path=/nowhere')).status).toBe(404)
    expect((await gateway.call('GET', '/api/file/home')).body).toMatchObject({ home: '/root' })
  })
})

describe('repositories', () => {
  it('have a file of nowhere else, which was nothing and is nothing', async ({ run, gateway }) => {
    await run('mkdir -p /tmp/bare && echo x > /tmp/bare/plain')
    for (const path of ['diff?path=/tmp/bare/plain', `diff/${encodeURIComponent('/tmp/bare/plain')}`]) {
      const reply = await gateway.call('GET', `/api/git/${path}`)
      expect(reply).toEqual({ status: 200, body: { original: null, modified: null } })
    }
  })

  it('show what has changed, in both shapes of the path, and nothing where there is none', async ({
    run,
    get,
    gateway,
  }) => {
    await run('mkdir -p /tmp/repo && cd /tmp/repo && git init -q && printf "one\\n" > new.txt')
    const expected = [{ status: 'ADDED', path: 'new.txt' }]
    expect(await get('changes?path=/tmp/repo')).toEqual(expected)
    expect(await get(`changes/${encodeURIComponent('/tmp/repo')}`)).toEqual(expected)
    expect(await get('changes?path=/etc')).toEqual([])
    const file = { original: '', modified: 'one\n' }
    expect(await get('diff?path=/tmp/repo/new.txt')).toEqual(file)
    expect(await get(`diff/${encodeURIComponent('/tmp/repo/new.txt')}`)).toEqual(file)
    expect(await get('changes?path=/tmp/repo&ref=HEAD')).toEqual(expected)
    expect((await gateway.call('GET', '/api/git/diff?path=/tmp/repo/new.txt&ref=a&commit=b')).status).toBe(400)
  })
})

describe('a repository that is compared with a commit', () => {
  const git = 'git -c user.name=Ada -c user.email=ada@example.org'

  it.beforeAll(async ({ run }) => {
    await run(
      `mkdir -p /tmp/compared/sub && cd /tmp/compared && git init -q . && echo 1 >a && echo 1 >sub/b && git add . &&
       ${git} commit -qm first && git tag begun && echo 2 >a && ${git} commit -qam second && echo 3 >a && rm -r sub`,
    )
  })

  it('shows what is different from a commit, a tag or a branch', async ({ get }) => {
    const both = [
      { status: 'UPDATED', path: 'a' },
      { status: 'DELETED', path: 'sub/b' },
    ]
    for (const ref of ['HEAD', 'begun', 'HEAD~1'])
      expect(await get(`changes?path=/tmp/compared&ref=${ref}`)).toEqual(both)
    expect(await get('diff?path=/tmp/compared/a&ref=HEAD')).toEqual({ original: '2\n', modified: '3\n' })
    expect(await get('diff?path=/tmp/compared/a&ref=begun')).toEqual({ original: '1\n', modified: '3\n' })
  })

  it('shows a file as a commit found and left it, the first commit too', async ({ get }) => {
    expect(await get('diff?path=/tmp/compared/a&commit=HEAD')).toEqual({ original: '1\n', modified: '2\n' })
    expect(await get('diff?path=/tmp/compared/a&commit=begun')).toEqual({ original: '', modified: '1\n' })
  })

  it('shows a file whose folder is gone', async ({ get }) => {
    expect(await get('diff?path=/tmp/compared/sub/b&ref=HEAD')).toEqual({ original: '1\n', modified: '' })
  })
})

describe('a repository with more new files than a list has', () => {
  it('shows the first of them, each with its whole path', async ({ run, gateway }) => {
    const long = 'a-path-that-is-long-enough-to-be-cut'
    await run(
      `mkdir /tmp/many && cd /tmp/many && git init -q && mkdir ${long} && seq -f '${long}/%06g' 40000 | xargs touch`,
    )
    const { body } = await gateway.call('GET', '/api/git/changes?path=/tmp/many')
    expect(body).toHaveLength(10_000)
    for (const [index, { path }] of body.entries()) {
      expect(path).toBe(`${long}/${String(index + 1).padStart(6, '0')}`)
    }
  })
})

describe('the history of a repository', () => {
  it('is told from its present commit backwards, with what each commit changed', async ({ run, gateway }) => {
    const git = 'git -c user.name=Ada -c user.email=ada@example.org'
    await run(
      `mkdir /tmp/history && cd /tmp/history && git init -q . && echo a >a && git add . && ${git} commit -qm first &&
       git mv a b && echo c >'c d' && git add . && ${git} commit -qm 'the "second"'`,
    )
    const { body } = await gateway.call('GET', '/api/git/commits?path=/tmp/history')
    expect(body).toMatchObject({
      commits: [
        { subject: 'the "second"', author: 'Ada' },
        { subject: 'first', author: 'Ada' },
      ],
      has_more: false,
    })
    const page = await gateway.call('GET', '/api/git/commits?path=/tmp/history&limit=1')
    expect(page.body).toMatchObject({ commits: [{ sha: body.commits[0].sha }], has_more: true })
    const changes = (sha: string) => gateway.call('GET', `/api/git/commits/${sha}/changes?path=/tmp/history`)
    expect((await changes(body.commits[0].sha)).body).toEqual([
      { status: 'MOVED', path: 'b' },
      { status: 'ADDED', path: 'c d' },
    ])
    expect((await changes(body.commits[1].short_sha)).body).toEqual([{ status: 'ADDED', path: 'a' }])
    expect((await changes('0'.repeat(40))).status).toBe(404)
    expect((await changes('--help')).status).toBe(422)
    expect((await gateway.call('GET', '/api/git/commits?path=/tmp')).body).toEqual({ commits: [], has_more: false })
  })
})

describe('the known models', () => {
  it('are listed by provider', async ({ gateway }) => {
    const { body } = await gateway.call('GET', '/api/llm/models/verified')
    expect(body.models.openai).toEqual(expect.arrayContaining([expect.stringMatching(/^gpt-/)]))
  })
})
