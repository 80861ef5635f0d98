import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call, problemOf } from '../../parts/client/legacy.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, async ({ git }) => {
    await git.add('shop', FILES)
    return { settings: { language: 'en', allowed_hosts: ['host.docker.internal'] } }
  })
  .extend('started', { scope: 'file' }, ({ service, git }) =>
    startConversation(service, { selected_repository: git.url('shop') }),
  )
  .extend('id', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('get', { scope: 'file' }, ({ id, service }) => (path: string, conversation = id) => {
    return call(service, 'GET', `/api/conversations/${conversation}${path}`)
  })
  /** Runs a script in the clone, as the agent would. */
  .extend('inClone', { scope: 'file' }, ({ sandbox }) => async (script: string): Promise<void> => {
    const engine = testEngine()
    const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
    stream.stdout.resume()
    stream.stderr.resume()
    expect(await stream.exitCode).toBe(0)
    stream.close()
    await engine.close()
  })

const FILES = {
  'README.md': 'Read me.\n',
  'src/a b.txt': 'first\nsecond\n',
  'gone.txt': 'soon gone\n',
  '.gitignore': 'ignored/\n*.log\n',
  'AGENTS.md': 'Run the tests.\n',
  '.openhands/microagents/deploy/aws.md': '---\nname: aws\ntriggers:\n  - deploy\n---\nAsk first.\n',
  '.openhands/microagents/README.md': 'Not for agents.\n',
  '.openhands/microagents/broken.md': '---\n: [\n---\nStill text.\n',
}
const publishedPath = (path: string) => `/api/conversations/{conversation_id}${path}`

describe('the workspace of a conversation', () => {
  it('lists folders first, without what nobody wants to see', async ({ inClone, get }) => {
    await inClone('mkdir -p ignored node_modules Zoo; : >debug.log; : >.DS_Store')
    expect((await get('/list-files')).body).toEqual(['shop/'])
    const { body } = await get('/list-files?path=shop')
    expect(problemOf('get', publishedPath('/list-files'), body)).toBeUndefined()
    expect(body).toEqual([
      'shop/.openhands/',
      'shop/src/',
      'shop/Zoo/',
      'shop/.gitignore',
      'shop/AGENTS.md',
      'shop/gone.txt',
      'shop/README.md',
    ])
    expect((await get('/list-files?path=nowhere')).body).toEqual([])
    await inClone('rm .DS_Store')
    expect((await get("/list-files?path='%3B%20touch%20%2Ftmp%2Fowned%20%23")).body).toEqual([])
  })

  it('shows a file as text, and says why not', async ({ get, inClone }) => {
    expect((await get('/select-file?file=shop/README.md')).body).toEqual({ code: 'Read me.\n' })
    expect((await get('/select-file?file=shop/missing')).status).toBe(404)
    await inClone('printf "a\\000b" >binary')
    expect(await get('/select-file?file=shop/binary')).toMatchObject({
      status: 415,
      body: { error: 'Unable to open binary file: shop/binary' },
    })
    await inClone('rm binary')
  })

  it('takes files of any size and any content, and skips those that want to go elsewhere', async ({
    service,
    id,
    get,
    inClone,
  }) => {
    const form = new FormData()
    const large = Buffer.alloc(9 * 2 ** 20, 'Atelier ')
    form.append('files', new File([large], 'large.bin'))
    form.append('files', new File(['ünïcode'], 'nötes.txt'))
    form.append('files', new File([], 'empty'))
    form.append('other', 'a field')
    const { body, status } = await call(service, 'POST', `/api/conversations/${id}/upload-files`, form)
    expect(status).toBe(200)
    expect(body).toEqual({
      uploaded_files: ['/workspace/project/large.bin', '/workspace/project/nötes.txt', '/workspace/project/empty'],
      skipped_files: [],
    })
    expect((await get('/select-file?file=nötes.txt')).body).toEqual({ code: 'ünïcode' })
    await inClone('[ "$(wc -c <../large.bin)" -eq 9437184 ] && rm ../large.bin ../nötes.txt ../empty')
  })

  it('refuses a form that is none, or breaks off', async ({ id, service, get }) => {
    const path = `/api/conversations/${id}/upload-files`
    expect((await call(service, 'POST', path, { files: 5 })).status).toBe(422)
    expect((await call(service, 'POST', path, { files: ['x'] })).status).toBe(400)
    const broken = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="files"; filename="half"\r\n\r\nha',
    })
    expect(broken.status).toBe(400)
    expect((await get('/list-files')).body).toEqual(['shop/'])
  })

  it('comes without names that Windows would unpack outside of the archive’s place', async ({ inClone, get }) => {
    await inClone("cd ..; echo 1 >'..\\..\\evil.bat'; echo 1 >'C:evil.txt'")
    const archive = (await get('/zip-directory')).body as Buffer
    expect(archive.includes('.._.._evil.bat')).toBe(true)
    expect(archive.includes('C_evil.txt')).toBe(true)
    expect(archive.includes('\\evil')).toBe(false)
    expect(archive.includes('C:evil')).toBe(false)
    await inClone("cd ..; rm '..\\..\\evil.bat' C:evil.txt")
  })

  it('comes as a ZIP archive that other programs read', async ({ get }) => {
    const reply = await get('/zip-directory')
    expect(reply.headers.get('content-type')).toBe('application/zip')
    expect(reply.headers.get('content-disposition')).toContain('workspace.zip')
    const folder = mkdtempSync(join(tmpdir(), 'atelier-zip-'))
    writeFileSync(join(folder, 'workspace.zip'), reply.body as Buffer)
    const unzip =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])'
    execFileSync('python3', ['-c', unzip, join(folder, 'workspace.zip'), folder])
    expect(readFileSync(join(folder, 'shop/src/a b.txt'), 'utf8')).toBe('first\nsecond\n')
    rmSync(folder, { recursive: true })
  })
})

describe('its changes', () => {
  it('are those since the remote, by path, also of new, moved and lost files', async ({ get, inClone }) => {
    expect((await get('/git/changes')).body).toEqual([])
    await inClone(
      'echo third >>"src/a b.txt"; rm gone.txt; mv README.md READ.md; echo "new" >"src/ne w.txt"; git add -A; git -c user.name=a -c user.email=a@b commit -qm x; echo later >untracked',
    )
    const { body } = await get('/git/changes')
    expect(problemOf('get', publishedPath('/git/changes'), body)).toBeUndefined()
    expect(body).toEqual([
      { status: 'A', path: 'shop/READ.md' },
      { status: 'D', path: 'shop/README.md' },
      { status: 'D', path: 'shop/gone.txt' },
      { status: 'M', path: 'shop/src/a b.txt' },
      { status: 'A', path: 'shop/src/ne w.txt' },
      { status: 'A', path: 'shop/untracked' },
    ])
  })

  it('are shown file by file, before and after', async ({ get, inClone }) => {
    expect((await get('/git/diff?path=shop/src/a%20b.txt')).body).toEqual({
      original: 'first\nsecond\n',
      modified: 'first\nsecond\nthird\n',
    })
    expect((await get('/git/diff?path=shop/gone.txt')).body).toEqual({ original: 'soon gone\n', modified: '' })
    expect((await get('/git/diff?path=shop/untracked')).body).toEqual({ original: '', modified: 'later\n' })
    expect(await get('/git/diff?path=/etc/passwd')).toMatchObject({
      status: 404,
      body: { error: 'Not a git repository' },
    })
    await inClone('head -c 2000000 /dev/zero >big')
    expect((await get('/git/diff?path=shop/big')).status).toBe(413)
  })

  it('need a repository', async ({ service, get }) => {
    const task = await startConversation(service, {})
    const other = task.app_conversation_id ?? ''
    expect((await get('/git/changes', other)).body).toEqual([])
    const engine = testEngine()
    const stream = await engine.exec(task.sandbox_id ?? '', { argv: ['rm', '-rf', '/workspace/project/.git'] })
    stream.stdout.resume()
    stream.stderr.resume()
    await stream.exitCode
    await engine.close()
    expect(await get('/git/changes', other)).toMatchObject({ status: 404, body: { error: 'Not a git repository' } })
  })
})

describe('what else is in the sandbox', () => {
  it("has the repository's instructions, a malformed one as it is", async ({ get }) => {
    const { body } = await get('/microagents')
    expect(body).toEqual({
      microagents: [
        { name: 'AGENTS', type: 'repo', content: 'Run the tests.\n', triggers: [], inputs: [], tools: [] },
        { name: 'broken', type: 'repo', content: 'Still text.\n', triggers: [], inputs: [], tools: [] },
        { name: 'aws', type: 'knowledge', content: 'Ask first.\n', triggers: ['deploy'], inputs: [], tools: [] },
      ],
    })
  })

  it('has web servers at addresses of this machine and no editor', async ({ get }) => {
    const { body } = await get('/web-hosts')
    const hosts = Object.entries((body as { hosts: Record<string, number> }).hosts)
    expect(hosts).toHaveLength(2)
    for (const [url, port] of hosts) expect(url).toBe(`http://localhost:${port}`)
    expect((await get('/vscode-url')).body).toEqual({ vscode_url: null })
  })

  it('is nowhere without a conversation', async ({ get }) => {
    const unknown = '0'.repeat(32)
    for (const path of [
      '/list-files',
      '/select-file?file=a',
      '/zip-directory',
      '/git/changes',
      '/microagents',
      '/web-hosts',
    ]) {
      expect(await get(path, unknown)).toMatchObject({
        status: 404,
        body: { detail: `Conversation ${unknown} not found` },
      })
    }
  })
})
