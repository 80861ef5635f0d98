import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { applyToFolder, previewFolderApply, undoFolderApply } from '../../../server/api/v1/conversation/folder/apply.ts'
import { batchGetSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/service.ts'
import { startInFolder } from '../../parts/client/folder-conversation.ts'
import { makeHostile, TestFolder } from '../../parts/test-folder.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  .extend('startIn', { scope: 'file' }, ({ service }) => async (folder: TestFolder) => {
    made.push(folder)
    const conversation = await startInFolder(service, folder)
    const { params } = conversation
    return {
      ...conversation,
      preview: () => service.client.call(previewFolderApply, { params }),
      apply: (choices: { path: string; choice: 'keep_mine' | 'take_theirs' }[] = []) =>
        service.client.call(applyToFolder, { params, body: { choices } }),
      undo: (id?: string) => service.client.call(undoFolderApply, { params, query: { id } }),
    }
  })

const made: TestFolder[] = []

afterAll(() => {
  for (const folder of made) folder.remove()
})

const textOf = (folder: TestFolder, path: string) => readFileSync(join(folder.path, path), 'utf8')

describe('the changes of a conversation', () => {
  it('are previewed, applied beside what is not committed, and undone', async ({ startIn }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' }).commit()
    folder.write({ 'b.txt': 'not committed\n', 'run.sh': '#!/bin/sh\n' })
    chmodSync(join(folder.path, 'run.sh'), 0o750)
    const conversation = await startIn(folder)
    expect(await conversation.preview()).toMatchObject({ path: folder.path, files: [], undoable: false })
    await conversation.run('echo two >>a.txt; rm sub/c.txt; mkdir -p new; echo n >new/n.txt; echo x >>run.sh')
    const before = folder.git('status', '--porcelain=v2', '--branch')
    const { files } = await conversation.preview()
    expect(files.map(({ path, status, state, added, removed }) => [path, status, state, added, removed])).toEqual([
      ['a.txt', 'UPDATED', 'fits', 1, 0],
      ['new/n.txt', 'ADDED', 'fits', 1, 0],
      ['run.sh', 'UPDATED', 'fits', 1, 0],
      ['sub/c.txt', 'DELETED', 'fits', 0, 1],
    ])
    expect(folder.git('status', '--porcelain=v2', '--branch')).toBe(before)
    const { id, written } = await conversation.apply()
    expect(written).toHaveLength(4)
    expect([textOf(folder, 'a.txt'), textOf(folder, 'b.txt')]).toEqual(['one\ntwo\n', 'not committed\n'])
    expect(existsSync(join(folder.path, 'sub'))).toBe(false)
    expect(statSync(join(folder.path, 'run.sh')).mode & 0o777).toBe(0o750)
    expect(await conversation.preview()).toMatchObject({ files: [], undoable: true })
    await conversation.run('echo three >>a.txt')
    expect((await conversation.preview()).files).toMatchObject([{ path: 'a.txt', state: 'fits' }])
    await expect(conversation.undo('00000009')).rejects.toMatchObject({ code: 'bad_request' })
    await conversation.undo(id)
    expect(folder.git('status', '--porcelain=v2', '--branch')).toBe(before)
    expect(textOf(folder, 'sub/c.txt')).toBe('c\n')
    expect(existsSync(join(folder.path, 'new'))).toBe(false)
    await expect(conversation.undo()).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('ask for a choice where the folder changed too, and overwrite nothing without it', async ({ startIn }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' })
    const conversation = await startIn(folder)
    await conversation.run('for f in a b c; do echo agent >$f.txt; done; echo agent >new.txt')
    folder.write({ 'a.txt': 'mine\n', 'b.txt': 'mine\n', 'new.txt': 'mine\n' })
    const { files } = await conversation.preview()
    expect(files.map(({ path, state }) => [path, state])).toEqual([
      ['a.txt', 'conflict'],
      ['b.txt', 'conflict'],
      ['new.txt', 'conflict'],
      ['c.txt', 'fits'],
    ])
    await expect(conversation.apply()).rejects.toMatchObject({ code: 'conflict' })
    expect([textOf(folder, 'a.txt'), textOf(folder, 'c.txt')]).toEqual(['mine\n', 'one\n'])
    const keep = (path: string) => ({ path, choice: 'keep_mine' as const })
    const applied = await conversation.apply([keep('a.txt'), { path: 'b.txt', choice: 'take_theirs' }, keep('new.txt')])
    expect(applied).toMatchObject({ written: ['b.txt', 'c.txt'], kept: ['a.txt', 'new.txt'] })
    expect(['a.txt', 'b.txt', 'c.txt'].map(path => textOf(folder, path))).toEqual(['mine\n', 'agent\n', 'agent\n'])
    folder.write({ 'c.txt': 'changed since\n' })
    await expect(conversation.undo()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"c.txt"'),
    })
    expect(textOf(folder, 'b.txt')).toBe('agent\n')
    folder.write({ 'c.txt': 'agent\n' })
    await conversation.undo()
    expect([textOf(folder, 'b.txt'), textOf(folder, 'c.txt')]).toEqual(['mine\n', 'one\n'])
  })

  it('never lead out of the folder or into .git, whatever the sandbox says', async ({ startIn }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n', 'dir/b.txt': 'one\n', 'Readme.md': 'one\n' }).commit()
    const [outside, elsewhere] = [folder.beside('outside'), folder.beside('elsewhere')]
    const conversation = await startIn(folder)
    await conversation.run(`
      printf 'x' >"new
line.txt"; ln -s /etc/passwd link; echo x >README.md; echo changed >dir/b.txt; echo fine >fine.txt
      git init -q inner; git -C inner -c user.name=a -c user.email=a@b commit -q --allow-empty -m a`)
    rmSync(join(folder.path, 'dir'), { recursive: true })
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, outside)
    symlinkSync(outside, join(folder.path, 'dir'))
    const { files } = await conversation.preview()
    expect(files.filter(({ state }) => state === 'refused').map(({ path }) => path)).toEqual([
      'README.md',
      'dir/b.txt',
      'inner',
      'link',
      'new\nline.txt',
    ])
    expect(await conversation.apply()).toMatchObject({ written: ['fine.txt'] })
    expect(existsSync(join(elsewhere, 'b.txt'))).toBe(false)
  })

  it('are found in a file of the same length that was written in the second of the index', async ({ startIn }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' }).commit()
    const conversation = await startIn(folder)
    await conversation.run('touch a.txt; git update-index --refresh; echo two >a.txt')
    expect((await conversation.preview()).files).toMatchObject([{ path: 'a.txt', state: 'fits' }])
  })

  it('run nothing of the folder on this computer', async ({ startIn }) => {
    const folder = new TestFolder()
    const { canaries } = makeHostile(folder)
    const conversation = await startIn(folder)
    await conversation.run('echo agent >>a.txt; echo agent >>b.bin; echo "*.txt filter=evil" >>.gitattributes')
    for (const name of readdirSync(canaries)) rmSync(join(canaries, name))
    expect((await conversation.preview()).files).toHaveLength(3)
    expect((await conversation.apply()).written).toHaveLength(3)
    await conversation.undo()
    expect(readdirSync(canaries)).toEqual([])
  })

  it('are refused as a whole when the sandbox lies about its files', async ({ startIn }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' })
    const conversation = await startIn(folder)
    const object = execFileSync('git', ['hash-object', '--stdin'], { input: 'good\n', encoding: 'utf8' }).trim()
    const line = `:000000 100644 ${'0'.repeat(40)} ${object} A`
    await conversation.run(`
      real=$(command -v git); mkdir /opt/real; mv "$real" /opt/real/git
      cat >"$real" <<'END'
#!/bin/sh
case "$*" in
*diff-tree*) printf '${line}\\000../out.txt\\000${line}\\000.git/hooks/post-commit\\000${line}\\000fine.txt\\000' ;;
*batch-check*) echo "${object} blob 5" ;;
*--batch*) printf '${object} blob 5\\nevil\\n\\n' ;;
*) exec /opt/real/git "$@" ;;
esac
END
      chmod 755 "$real"`)
    await expect(conversation.apply()).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('another content'),
    })
    expect(readdirSync(folder.path)).toEqual(['a.txt'])
    await conversation.run(`sed -i 's/nevil/ngood/' "$(command -v git)"`)
    expect(await conversation.apply()).toMatchObject({ written: ['fine.txt'] })
    expect(existsSync(folder.beside('out.txt'))).toBe(false)
    expect(readdirSync(folder.path)).toEqual(['a.txt', 'fine.txt'])
  })

  it('are not for the key of a sandbox', async ({ startIn, service }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' })
    const { params, sandboxId } = await startIn(folder)
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [sandboxId] } })
    const headers = { 'X-Session-API-Key': sandbox?.session_api_key ?? '', 'content-type': 'application/json' }
    for (const name of ['preview', 'apply', 'undo', 'branch', 'branch/undo']) {
      const url = `${service.url}/api/v1/app-conversations/${params.conversation_id}/folder/${name}`
      expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    }
  })

  it('hold 500 files', async ({ startIn }) => {
    const folder = new TestFolder().write(
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f/${index}.txt`, `${index}\n`])),
    )
    const conversation = await startIn(folder)
    await conversation.run('for f in f/*.txt; do echo more >>$f; done')
    expect((await conversation.apply()).written).toHaveLength(500)
    expect(textOf(folder, 'f/499.txt')).toBe('499\nmore\n')
  })

  it('are refused in words for a folder that went away, and forgotten with the conversation', async ({
    startIn,
    service,
  }) => {
    const folder = new TestFolder().write({ 'a.txt': 'one\n' })
    const conversation = await startIn(folder)
    const kept = join(service.dataDir, 'folders', conversation.params.conversation_id)
    expect(statSync(kept).mode & 0o077).toBe(0)
    folder.remove()
    await expect(conversation.preview()).rejects.toMatchObject({ code: 'file_not_found' })
    await service.client.call(deleteAppConversation, { params: conversation.params })
    expect(existsSync(kept)).toBe(false)
  })
})
