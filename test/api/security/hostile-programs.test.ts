import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call } from '../../parts/client/legacy.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('id', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  /** As whoever owns the sandbox. */
  .extend('inSandbox', { scope: 'file' }, ({ sandbox }) => async (script: string): Promise<string> => {
    const engine = testEngine()
    const stream = await engine.exec(sandbox, {
      argv: ['/bin/sh', '-ec', script],
      cwd: '/workspace/project',
      user: 'root',
    })
    stream.stderr.resume()
    const output = await stream.stdout.setEncoding('utf8').toArray()
    expect(await stream.exitCode).toBe(0)
    stream.close()
    await engine.close()
    return output.join('')
  })
  .extend('get', { scope: 'file' }, ({ service, id }) => (path: string) => {
    return call(service, 'GET', `/api/conversations/${id}${path}`)
  })
  .extend('upload', { scope: 'file' }, ({ service, id }) => (...names: string[]) => {
    const form = new FormData()
    for (const name of names) form.append('files', new Blob(['content']), name)
    return call(service, 'POST', `/api/conversations/${id}/upload-files`, form)
  })
  .extend('replace', { scope: 'file' }, ({ inSandbox }) => (program: string, body: string) => {
    return inSandbox(`mv /usr/bin/${program} /usr/bin/${program}.real; printf '#!/bin/sh\\n${body}\\n' >/usr/bin/${program}
    chmod +x /usr/bin/${program}`)
  })
  .extend('restore', { scope: 'file' }, ({ inSandbox }) => (program: string) => {
    return inSandbox(`/bin/mv -f /usr/bin/${program}.real /usr/bin/${program}`)
  })

describe('an uploaded file named like a folder', () => {
  it('is refused in words, and nothing is written into the folder or behind a link to one', async ({
    inSandbox,
    upload,
  }) => {
    await inSandbox('mkdir -p adir; ln -sfn /etc alink; ln -sfn adir blink')
    const { status, body } = await upload('adir', 'alink', 'blink', 'plain.txt')
    expect(status).toBe(200)
    const skipped = ['adir', 'alink', 'blink'].map(name => ({ name, reason: 'A folder has this name.' }))
    expect(body).toMatchObject({ uploaded_files: ['/workspace/project/plain.txt'], skipped_files: skipped })
    expect(await inSandbox('ls -A adir /etc/.atelier-* 2>/dev/null || true; cat plain.txt')).toBe('adir:\ncontent')
  })
})

describe('a path that no file can be read from', () => {
  it.for([
    '/git/diff?path=%00',
    '/select-file?file=%00',
    '/select-file?file=/proc/self/mem',
    '/select-file?file=/proc/kmsg',
  ])('%s is refused as such', async (path, { get }) => {
    const { status, body } = await get(path)
    expect([400, 403, 404, 415, 422]).toContain(status)
    expect(JSON.stringify(body)).not.toContain('Internal')
  })

  it('is refused by the newer generation too', async ({ id, service }) => {
    const file = `/api/v1/app-conversations/${id}/file?file_path=`
    expect((await call(service, 'GET', `${file}%00`)).status).toBe(422)
    expect((await call(service, 'GET', `${file}/proc/self/mem`)).status).toBeLessThan(500)
  })
})

describe('a program in the place of git', { timeout: 120_000 }, () => {
  it('that writes without end is stopped', async ({ inSandbox, replace, get, restore }) => {
    await inSandbox('mkdir -p some')
    await replace('git', 'exec yes')
    const { status, body } = await get('/list-files')
    await restore('git')
    expect({ status, body }).toMatchObject({ status: 504 })
  })

  it('that never ends is stopped', async ({ replace, get, restore, inSandbox }) => {
    await replace('git', 'exec sleep 1000')
    const paths = ['/git/changes', '/git/diff?path=plain.txt', '/list-files']
    const replies = await Promise.all(paths.map(get))
    await restore('git')
    expect(replies.map(({ status }) => status)).toEqual([504, 504, 504])
    expect(JSON.stringify(replies[2]?.body)).toContain('took longer than 30 s')
    expect(await inSandbox('for p in /proc/[0-9]*/cmdline; do tr "\\0" " " <$p; done 2>/dev/null')).not.toContain(
      'sleep 1000',
    )
  })

  it('of cat that takes nothing ends an upload', async ({ replace, upload, restore }) => {
    await replace('cat', 'exec sleep 1000')
    const { status } = await upload('late.txt')
    await restore('cat')
    expect(status).toBe(504)
    expect((await upload('late.txt')).status).toBe(200)
  })
})
