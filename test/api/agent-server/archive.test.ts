import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('other', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('run', { scope: 'file' }, ({ gateway }) => async (command: string) => {
    return (await gateway.call('POST', '/api/bash/execute_bash_command', { command })).body as { stdout: string }
  })
  .extend('get', { scope: 'file' }, ({ gateway }) => async (query: string, asker = gateway) => {
    const reply = await fetch(`${asker.url}/api/file/archive?${query}`, { headers: { 'X-Session-API-Key': asker.key } })
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
  })
  /** What the patch makes of a copy of what it starts from. */
  .extend('applied', { scope: 'file' }, ({ gateway, run }) => async (patch: Buffer, base: string) => {
    await run('rm -rf /data/copy && git clone -q /data/repo /data/copy')
    const upload = new FormData()
    upload.append('file', new Blob([new Uint8Array(patch)]))
    await fetch(`${gateway.url}/api/file/upload?path=/tmp/patch`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': gateway.key },
      body: upload,
    })
    return run(`cd /data/copy && git checkout -q ${base} && git apply --index /tmp/patch && git status --short`)
  })

it.beforeAll(async ({ run }) => {
  await run(`mkdir -p /data/repo/src /data/repo/node_modules/x /data/repo/deep/build /data/plain && cd /data/repo
    git init -q -b main && git config user.email a@b && git config user.name A
    echo one >src/kept.txt; echo old >src/changed.txt; echo gone >src/gone.txt; printf '\\351\\n' >latin.txt
    git add -A && git commit -qm first && git tag begun
    echo two >src/second.txt && git add -A && git commit -qm second
    echo new >src/changed.txt; rm src/gone.txt; echo fresh >src/new.txt; printf '\\000\\001' >binary.bin; printf '\\352\\n' >latin.txt
    echo x >node_modules/x/index.js; echo x >deep/build/out.js; echo log >src/a.log; ln -s kept.txt src/link; chmod +x src/new.txt`)
})

async function entriesOf(bytes: Buffer) {
  const entries = extract()
  entries.end(gunzipSync(bytes))
  const found = new Map<string, string>()
  for await (const entry of entries) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    const { name, type, linkname } = entry.header
    found.set(name, type === 'symlink' ? `-> ${linkname}` : Buffer.concat(parts).toString('latin1'))
  }
  return found
}

describe('an archive of a folder', () => {
  it('holds all of it where it is, without what can be made again', async ({ get }) => {
    const { status, headers, bytes } = await get('path=/data/repo&format=tar.gz')
    expect([status, headers.get('x-archive-format')]).toEqual([200, 'tar.gz'])
    expect(headers.get('content-disposition')).toContain('repo.tar.gz')
    const entries = await entriesOf(bytes)
    expect(entries.get('src/kept.txt')).toBe('one\n')
    expect(entries.get('src/link')).toBe('-> kept.txt')
    expect(entries.get('binary.bin')).toBe('\0\x01')
    expect([...entries.keys()].filter(name => /node_modules|build/.test(name))).toEqual([])
    expect([...entries.keys()].some(name => name.startsWith('.git/'))).toBe(true)
  })

  it('holds everything when that is wanted, but what is excluded by name or by path', async ({ get }) => {
    const all = await entriesOf((await get('path=/data/repo&format=tar.gz&use_default_excludes=false')).bytes)
    expect([...all.keys()]).toEqual(
      expect.arrayContaining(['node_modules/x/index.js', 'deep/build/out.js', 'src/a.log']),
    )
    const query =
      'path=/data/repo&format=tar.gz&use_default_excludes=false&exclude=*.log&exclude=deep/build/&exclude=.git'
    const some = await entriesOf((await get(query)).bytes)
    expect([...some.keys()].filter(name => /\.log|build|\.git/.test(name))).toEqual([])
    expect(some.has('node_modules/x/index.js')).toBe(true)
  })

  it('of much is streamed whole', async ({ run, get }) => {
    await run(
      'mkdir -p /data/much && head -c 30000000 /dev/urandom >/data/much/random && sha1sum /data/much/random >/data/much/sum',
    )
    const { bytes } = await get('path=/data/much&format=tar.gz')
    const entries = await entriesOf(bytes)
    expect(entries.get('random')?.length).toBe(30_000_000)
  })
})

describe('the media types of files', () => {
  it.for<[string, string]>([
    ['/api/file/archive', 'path=/data/repo&format=tar.gz'],
    ['/api/file/archive', 'path=/data/repo&format=git-delta'],
    ['/api/file/download', 'path=/data/repo/src/kept.txt'],
  ])('are those that the document names: %s?%s', async ([path, query], { gateway }) => {
    const reply = await fetch(`${gateway.url}${path}?${query}`, { headers: { 'X-Session-API-Key': gateway.key } })
    await reply.arrayBuffer()
    const document = await (await fetch(`${gateway.url}/openapi.json`)).json()
    const named = Object.keys(document.paths[path].get.responses[200].content)
    expect(named).toContain(reply.headers.get('content-type')?.split(';')[0])
  })
})

describe('a patch of what has changed', () => {
  it('brings a copy to the same state, with new, removed, binary and executable files', async ({
    get,
    applied,
    run,
  }) => {
    const { status, headers, bytes } = await get('path=/data/repo&base_ref=HEAD')
    expect([status, headers.get('x-archive-format')]).toEqual([200, 'git-delta'])
    const { stdout } = await applied(bytes, 'HEAD')
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => line.trim())
        .sort(),
    ).toEqual([
      'A  binary.bin',
      'A  src/a.log',
      'A  src/link',
      'A  src/new.txt',
      'D  src/gone.txt',
      'M  latin.txt',
      'M  src/changed.txt',
    ])
    const same = await run(
      'cd /data && cmp repo/latin.txt copy/latin.txt && cmp repo/binary.bin copy/binary.bin && test -x copy/src/new.txt && echo same',
    )
    expect(same.stdout).toBe('same\n')
  })

  it('starts where the repository began, or from the commit that is named, and leaves out what is excluded', async ({
    get,
    run,
  }) => {
    const whole = await get('path=/data/repo&exclude=*.log')
    expect(whole.bytes.toString('latin1')).toContain('+one')
    expect(whole.bytes.toString('latin1')).not.toContain('a.log')
    const since = await get('path=/data/repo&base_ref=begun')
    expect(since.bytes.toString('latin1')).toMatch(/\+two/)
    expect(since.bytes.toString('latin1')).not.toContain('+one')
    expect(since.headers.get('x-archive-base-ref')).toBe((await run('git -C /data/repo rev-parse begun')).stdout.trim())
  })

  it('leaves the repository and the sandbox as they were', async ({ run, get }) => {
    const state = () =>
      run('cd /data/repo; git status --short; find .git -type f | sort | xargs sha1sum; ls -d /tmp/tmp.* 2>/dev/null')
    const before = await state()
    await get('path=/data/repo')
    await expect.poll(async () => (await state()).stdout, { timeout: 20_000 }).toBe(before.stdout)
  })

  it.for<[number, string, string]>([
    [404, 'not_a_repository', 'path=/data/plain'],
    [400, 'bad_request', 'path=/data/repo&base_ref=nothing'],
    [400, 'bad_request', 'path=/data/repo&base_ref=--output=/tmp/written'],
    [400, 'bad_request', 'path=/data/repo&exclude=../../etc'],
    [400, 'bad_request', 'path=relative'],
    [404, 'file_not_found', 'path=/nowhere'],
    [400, 'bad_request', 'path=/etc/passwd&format=tar.gz'],
  ])('is refused with %i %s: %s', async ([status, code, query], { get }) => {
    const reply = await get(query)
    expect([reply.status, JSON.parse(reply.bytes.toString()).code]).toEqual([status, code])
  })

  it('is refused with 422 in another format, and is no other sandbox’s', async ({ get, other, service }) => {
    expect((await get('path=/data/repo&format=zip')).status).toBe(422)
    expect((await get('path=/data/repo', other)).status).toBe(404)
    expect((await get('path=/data/repo', gatewayCaller(service, 'wrong'))).status).toBe(401)
  })
})
