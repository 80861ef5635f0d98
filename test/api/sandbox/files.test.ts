import { describe, expect } from 'vitest'
import * as routes from '../../../server/api/v1/sandbox/files.ts'
import { createEntry, moveEntry } from '../../../server/conversation/workspace/entries.ts'
import { FolderLists } from '../../../server/conversation/workspace/folder-lists.ts'
import { readText, saveText } from '../../../server/conversation/workspace/texts.ts'
import { deleteEntry, restoreEntry } from '../../../server/conversation/workspace/trash.ts'
import type { ConversationId } from '../../../server/domain/ids.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { folderFiles, HERE } from '../../parts/client/folder-files.ts'
import { startTestSandbox } from '../../parts/engine/sandbox.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('files', { scope: 'file' }, ({ service, started }) => folderFiles(service, started))

const HOSTILE = [
  '-rf',
  'a\nb',
  '81a4 1 1 .\n81a4 9 9 .',
  ':(top)x',
  '"; touch owned; "',
  '$(id)',
  '`id`',
  ' ',
  "it's",
  '\u202egnp.exe',
  'ü\u0007',
]

describe('hostile names', () => {
  it('are listed as they are, read, saved, renamed, deleted and restored', async ({ files }) => {
    for (const [index, name] of HOSTILE.entries()) await files.save(`names/${name}`, `${index}\n`, null)
    const { items } = await files.list({ path: 'names' })
    expect(items.map(({ name }) => name).sort()).toEqual([...HOSTILE].sort())
    for (const [index, name] of HOSTILE.entries()) {
      const path = `${HERE}/names/${name}`
      expect((await files.text(path)).text).toBe(`${index}\n`)
      await files.move(path, `${path}-moved`)
      const { trash_id } = await files.remove(`${path}-moved`)
      await expect(files.text(`${path}-moved`)).rejects.toMatchObject({ code: 'file_not_found' })
      expect(await files.restore(trash_id)).toEqual({ path: `${path}-moved` })
    }
    expect(await files.run('ls names | grep -c owned || true')).toBe('1')
    expect((await files.list({ path: 'names' })).total).toBe(HOSTILE.length)
  })

  it('that are no UTF-8 are shown and named by no operation', async ({ files }) => {
    await files.run(`mkdir bytes; : >"bytes/$(printf 'a\\377b')"; : >bytes/$(printf '\\357\\277\\275')`)
    expect((await files.list({ path: 'bytes' })).items.map(({ name, path }) => [name, path])).toEqual([
      ['a\\xFFb', null],
      ['\ufffd', `${HERE}/bytes/\ufffd`],
    ])
  })
})

describe('a folder', () => {
  it('says of each entry what it is: ignored, a program, a link and where it leads, a pipe', async ({ files }) => {
    await files.run(`mkdir kinds; cd kinds; git init -q .; echo 'built/' >.gitignore; mkdir built src; echo x >run; chmod +x run
      ln -s /etc/passwd out; ln -s src in; ln -s nowhere gone; mkfifo pipe`)
    const { items, total } = await files.list({ path: 'kinds' })
    expect(total).toBe(9)
    expect(items.map(({ name, kind, ignored, link }) => [name, kind, ignored, link?.kind ?? null])).toEqual([
      ['.git', 'directory', true, null],
      ['built', 'directory', true, null],
      ['src', 'directory', false, null],
      ['.gitignore', 'file', false, null],
      ['gone', 'link', false, 'missing'],
      ['in', 'link', false, 'directory'],
      ['out', 'link', false, 'file'],
      ['pipe', 'other', false, null],
      ['run', 'file', false, null],
    ])
    expect(items.at(-1)).toMatchObject({ executable: true, size_bytes: 2 })
    expect(items.at(-3)?.link?.path).toBe('/etc/passwd')
  })

  it('of 200,000 entries gives its first page in seconds and the next ones at once, each entry once', async ({
    files,
  }) => {
    await files.run('mkdir many; cd many; seq 1 200000 | xargs touch')
    const began = performance.now()
    const first = await files.list({ path: 'many' })
    const firstMs = performance.now() - began
    expect(first).toMatchObject({ total: 200_000, complete: true })
    const names = new Set(first.items.map(({ name }) => name))
    let slowest = 0
    let page_id = first.next_page_id
    for (let page = 0; page < 5 && page_id; page++) {
      const from = performance.now()
      const next = await files.list({ path: 'many', page_id })
      slowest = Math.max(slowest, performance.now() - from)
      for (const { name } of next.items) names.add(name)
      page_id = next.next_page_id
    }
    expect(names.size).toBe(6000)
    expect(firstMs).toBeLessThan(60_000)
    expect(slowest).toBeLessThan(firstMs)
    await files.run('rm -r many')
  })

  it('is refused in words where it is none', async ({ files }) => {
    await expect(files.list({ path: 'nowhere' })).rejects.toMatchObject({ code: 'file_not_found' })
    await expect(files.list({ path: '/etc/passwd' })).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('text', () => {
  it('is saved over what was read alone: an edit of the agent in between stays', async ({ files }) => {
    const { version } = await files.save('edited.ts', 'one\n', null)
    await files.run('chmod 755 edited.ts; echo two >edited.ts')
    await expect(files.save('edited.ts', 'mine\n', version)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await expect(files.save('edited.ts', 'mine\n', null)).rejects.toMatchObject({ status: 409 })
    const now = await files.text('edited.ts')
    expect(now.text).toBe('two\n')
    await files.save('edited.ts', 'no end of line', now.version)
    expect(await files.run('cat edited.ts; stat -c " %a" edited.ts')).toBe('no end of line 755')
    await files.run('rm edited.ts')
    await expect(files.save('edited.ts', 'x', now.version)).rejects.toMatchObject({ status: 409 })
  })

  it('keeps byte order mark and line ends, and goes through a link without replacing it', async ({ files }) => {
    await files.run(`printf '\\357\\273\\277a\\r\\nb' >bom.txt; ln -s bom.txt link.txt`)
    const read = await files.text('link.txt')
    expect(read.text).toBe('\ufeffa\r\nb')
    await files.save('link.txt', read.text, read.version)
    expect(await files.run('readlink link.txt; od -An -c bom.txt | head -1')).toMatch(
      /^bom.txt\n\s+357 273 277\s+a\s+\\r\s+\\n\s+b$/,
    )
  })

  it('of a large file is its beginning; a pipe, a device and bytes are refused and never read', async ({ files }) => {
    await files.run('yes ä | head -c 3000000 >large.txt; mkfifo fifo; printf "\\000" >bytes.bin')
    const large = await files.text('large.txt')
    expect(large).toMatchObject({ size_bytes: 3_000_000, version: null })
    expect(large.text.length).toBeGreaterThan(100_000)
    expect(large.text).not.toContain('\ufffd')
    await expect(files.text('bytes.bin')).rejects.toMatchObject({ code: 'file_not_text' })
    for (const path of ['fifo', '/dev/zero']) {
      await expect(files.text(path)).rejects.toMatchObject({ code: 'bad_request' })
      expect((await files.content(path)).status).toBe(400)
    }
    await expect(files.save('fifo', 'x', null)).rejects.toMatchObject({ status: 400 })
  })
})

describe('deletion and renaming', () => {
  it('take folders and links, overwrite nothing, and are undone where the place is free', async ({ files }) => {
    await files.run('mkdir -p tree/deep; echo x >tree/deep/f; ln -s /etc target; echo taken >taken')
    await expect(files.move('tree', 'taken')).rejects.toMatchObject({ code: 'conflict' })
    await expect(files.move('tree', 'tree/deep/in')).rejects.toMatchObject({ code: 'bad_request' })
    await expect(files.move('tree', 'no/such/folder')).rejects.toMatchObject({ code: 'bad_request' })
    const link = await files.remove('target')
    expect(await files.run('ls /etc/passwd')).toBe('/etc/passwd')
    await files.restore(link.trash_id)
    const { trash_id } = await files.remove('tree')
    await files.run('echo in the way >tree')
    await expect(files.restore(trash_id)).rejects.toMatchObject({ code: 'conflict' })
    await files.run('rm tree')
    await files.restore(trash_id)
    expect(await files.run('cat tree/deep/f; readlink target; cat taken')).toBe('x\n/etc\ntaken')
    await expect(files.restore(trash_id)).rejects.toMatchObject({ code: 'file_not_found' })
  })

  it('leave the working directory and what holds it where they are', async ({ files }) => {
    for (const path of ['.', '/', '/workspace', '..']) {
      await expect(files.remove(path)).rejects.toMatchObject({ code: 'bad_request' })
      await expect(files.move(path, '/tmp/away')).rejects.toMatchObject({ code: 'bad_request' })
    }
  })

  it('make files and folders only where nothing is', async ({ service, files }) => {
    const create = (path: string, kind: 'file' | 'directory') =>
      service.client.call(routes.createFile, { params: files.params, body: { path, kind } })
    await create('made/deep/new.ts', 'file')
    await create('made/folder', 'directory')
    await expect(create('made/folder', 'file')).rejects.toMatchObject({ code: 'conflict' })
    expect(await files.run('find made | sort')).toBe('made\nmade/deep\nmade/deep/new.ts\nmade/folder')
  })
})

describe('bytes', () => {
  it('come in ranges, as an attachment that no browser opens as a page', async ({ files }) => {
    await files.run(
      `printf '<script>alert(1)</script>' >page.html; cp page.html picture.svg; printf 0123456789 >ten.png`,
    )
    for (const name of ['page.html', 'picture.svg']) {
      const { headers } = await files.content(name)
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    }
    const part = await files.content('ten.png', { Range: 'bytes=3-5' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 3-5/10', '345'])
    expect(await (await files.content('ten.png', { Range: 'bytes=-2' })).text()).toBe('89')
    expect((await files.content('ten.png', { Range: 'bytes=90-99' })).status).toBe(200)
  })

  it('of a folder come as a ZIP archive', async ({ files }) => {
    await files.run('mkdir packed; echo x >packed/in.txt')
    const reply = await files.content('packed')
    expect(reply.headers.get('content-type')).toBe('application/zip')
    expect(Buffer.from(await reply.arrayBuffer()).toString('latin1')).toContain('in.txt')
  })

  it('of 100 MB are uploaded without staying in memory, and never over a file unasked', async ({ service, files }) => {
    const upload = (path: string, body: Blob, existing?: 'replace' | 'keep_both') => {
      const form = new FormData()
      form.append('file', body, 'file')
      return service.client.call(routes.uploadFileContent, {
        params: files.params,
        query: { path, ...(existing && { existing }) },
        form,
      })
    }
    const large = new Blob(Array.from({ length: 99 }, () => new Uint8Array(1_000_000)))
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 20)
    expect(await upload('up/large.bin', large)).toEqual({ path: `${HERE}/up/large.bin`, size_bytes: 99_000_000 })
    clearInterval(timer)
    // What the sender holds is in this process too.
    expect(most).toBeLessThan(90_000_000)
    const small = new Blob(['new'])
    await expect(upload('up/large.bin', small)).rejects.toMatchObject({ code: 'conflict' })
    expect((await upload('up/large.bin', small, 'keep_both')).path).toBe(`${HERE}/up/large (2).bin`)
    await upload('up/large.bin', small, 'replace')
    expect(await files.run('cat up/*; ls -A up')).toBe('newnewlarge (2).bin\nlarge.bin')
  })
})

it('finds files by words of their path', async ({ files, service }) => {
  await files.run('mkdir -p found/inner; : >found/inner/needle-one.ts; : >found/needle.ts')
  const { paths } = await service.client.call(routes.findFiles, { params: files.params, query: { text: 'NEEDLE ts' } })
  expect(paths).toEqual(['found/needle.ts', 'found/inner/needle-one.ts'])
})

it('names the container for an editor', async ({ service, files }) => {
  const place = await service.client.call(routes.getFilePlace, { params: files.params, query: { path: 'page.html' } })
  expect(place).toEqual({ container: files.sandboxId, path: `${HERE}/page.html`, kind: 'file', host_path: null })
})

it('works with busybox and nothing else', async () => {
  const { handle, close } = await startTestSandbox('busybox')
  const signal = new AbortController().signal
  const conversation = 'c' as ConversationId
  const lists = new FolderLists()
  const names = async (folder: string) =>
    (await lists.page(handle, folder, { limit: 100 }, signal)).items.map(({ name, kind }) => `${kind} ${name}`)
  try {
    await createEntry(handle, { path: '/workspace/a/-b\n', kind: 'file' }, signal)
    await createEntry(handle, { path: '/workspace/a/c', kind: 'directory' }, signal)
    const { version } = await readText(handle, '/workspace/a/-b\n')
    await saveText(handle, '/workspace/a/-b\n', { text: 'x', version })
    await expect(saveText(handle, '/workspace/a/-b\n', { text: 'y', version })).rejects.toMatchObject({
      code: 'conflict',
    })
    await moveEntry(handle, { path: '/workspace/a/-b\n', to: '/workspace/a/d' }, signal)
    expect(await names('/workspace/a')).toEqual(['directory c', 'file d'])
    const { trash_id } = await deleteEntry(handle, { conversation, path: '/workspace/a' }, signal)
    await restoreEntry(handle, { conversation, trashId: trash_id }, signal)
    expect((await readText(handle, '/workspace/a/d')).text).toBe('x')
  } finally {
    await close()
  }
})
