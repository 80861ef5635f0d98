import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import {
  batchGetConversationEvents,
  batchGetEvents,
  searchConversationEvents,
} from '../../../server/api/v1/conversation/event-routes.ts'
import * as routes from '../../../server/api/v1/conversation/workspace.ts'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, async ({ git }) => {
    await git.add('shop', { 'a.txt': 'one\n', 'gone.txt': 'x\n', 'logo.bin': '\u0000PNG' })
    return {
      settings: {
        llm_model: 'ollama/none',
        llm_base_url: 'http://127.0.0.1:1',
        allowed_hosts: ['host.docker.internal'],
      },
    }
  })
  .extend('started', { scope: 'file' }, ({ service, git }) =>
    startConversation(service, {
      selected_repository: git.url('shop'),
      initial_message: said('hello'),
    }),
  )
  .extend('params', { scope: 'file' }, ({ started }) => {
    expect(started.detail).toBeNull()
    return { conversation_id: started.app_conversation_id ?? '' }
  })
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  /** Runs a script in the repository. */
  .extend('run', { scope: 'file' }, ({ sandbox }) => async (script: string): Promise<void> => {
    const engine = testEngine()
    const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
    stream.stdout.resume()
    stream.stderr.resume()
    expect(await stream.exitCode).toBe(0)
    stream.close()
    await engine.close()
  })
  .extend('file', { scope: 'file' }, ({ service, params }) => (query: { file_path?: string }) => {
    return service.client.call(routes.getConversationFile, { params, query })
  })
  .extend('changes', { scope: 'file' }, ({ service, params }) => (query: { path?: string } = {}) => {
    return service.client.call(routes.getConversationChanges, { params, query })
  })
  .extend('diff', { scope: 'file' }, ({ service, params }) => (path: string) => {
    return service.client.call(routes.getConversationDiff, { params, query: { path } })
  })

it.beforeAll(async ({ run }) => {
  await run(
    'echo two >a.txt; rm gone.txt; echo new >b.txt; echo the plan >PLAN.md; printf "\\000\\001" >raw.bin; echo text >logo.bin',
  )
})

describe('the files of a conversation', () => {
  it('are read below its working directory, the plan when none is named', async ({ file }) => {
    expect(await file({})).toBe('the plan\n')
    expect(await file({ file_path: 'a.txt' })).toBe('two\n')
    expect(await file({ file_path: '/workspace/project/shop/a.txt' })).toBe('two\n')
  })

  it('give the plan where plans lie now before one of earlier, and name its place when there is none', async ({
    run,
    file,
  }) => {
    await run('mkdir .agents_tmp; echo the newer plan >.agents_tmp/PLAN.md')
    expect(await file({})).toBe('the newer plan\n')
    await run('rm -r .agents_tmp; mv PLAN.md kept')
    await expect(file({})).rejects.toMatchObject({
      status: 404,
      code: 'file_not_found',
      message: expect.stringContaining('.agents_tmp/PLAN.md'),
    })
    await run('mv kept PLAN.md')
  })

  it.for<[string, number, string]>([
    ['nothing.txt', 404, 'file_not_found'],
    ['raw.bin', 415, 'file_not_text'],
    ['.git', 400, 'bad_request'],
    ['a\u0000b', 422, 'validation'],
  ])('refuse %j with %i %s', async ([file_path, status, code], { file }) => {
    await expect(file({ file_path })).rejects.toMatchObject({ status, code })
  })
})

describe('the changes of a conversation', () => {
  it('are told in the words of agent servers', async ({ changes, diff }) => {
    expect(await changes()).toEqual([
      { status: 'ADDED', path: 'PLAN.md' },
      { status: 'UPDATED', path: 'a.txt' },
      { status: 'ADDED', path: 'b.txt' },
      { status: 'DELETED', path: 'gone.txt' },
      { status: 'UPDATED', path: 'logo.bin' },
      { status: 'ADDED', path: 'raw.bin' },
    ])
    expect(await changes({ path: '/tmp' })).toEqual([])
    expect(await diff('a.txt')).toEqual({ original: 'one\n', modified: 'two\n' })
    expect(await diff('gone.txt')).toEqual({ original: 'x\n', modified: '' })
  })

  it('have no text for a binary file, before or after', async ({ diff }) => {
    expect(await diff('logo.bin')).toEqual({ original: null, modified: 'text\n' })
    expect(await diff('raw.bin')).toEqual({ original: '', modified: null })
  })

  it('of a repository without a remote are those since the conversation began, from its first second on', async ({
    service,
    run,
    changes,
    diff,
  }) => {
    const { items } = await service.client.call(searchAppConversations, { query: {} })
    const began = `${items[0]?.created_at.slice(0, 19)}Z`
    await run(`
      git init -q /workspace/project/local; cd /workspace/project/local; echo old >kept; echo old >edited; git add .
      GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git -c user.name=a -c user.email=a@b.example commit -qm before
      echo committed >made; git add .
      GIT_COMMITTER_DATE=${began} git -c user.name=a -c user.email=a@b.example commit -qm during; echo new >edited`)
    expect(await changes({ path: '/workspace/project/local' })).toEqual([
      { status: 'UPDATED', path: 'edited' },
      { status: 'ADDED', path: 'made' },
    ])
    expect(await diff('/workspace/project/local/edited')).toEqual({ original: 'old\n', modified: 'new\n' })
    await run('rm -r /workspace/project/local')
  })
})

describe('the record of a conversation', () => {
  it('is a ZIP archive of what it is and of each event, without its key', async ({ service, params }) => {
    const { items } = await service.client.call(searchConversationEvents, { params })
    const reply = await fetch(`${service.url}/api/v1/app-conversations/${params.conversation_id}/download`, {
      headers: { 'X-Session-API-Key': service.key },
    })
    expect(reply.headers.get('content-type')).toContain('application/zip')
    expect(reply.headers.get('content-disposition')).toContain(`conversation_${params.conversation_id}.zip`)
    const files = unzip(Buffer.from(await reply.arrayBuffer()))
    expect(JSON.parse(files['meta.json'] ?? '')).toMatchObject({ id: params.conversation_id })
    expect(JSON.parse(files['meta.json'] ?? '')).not.toHaveProperty('session_api_key')
    for (const event of items) {
      const name = `event_${String(event.seq).padStart(6, '0')}_${event.id}.json`
      expect(JSON.parse(files[name] ?? '')).toEqual(event)
    }
  })
})

describe('events by their ids', () => {
  it('come in the order asked for, null for unknown ones', async ({ service, params }) => {
    const { items } = await service.client.call(searchConversationEvents, { params })
    const id = [items[1]?.id ?? '', 'unknown', items[0]?.id ?? '']
    const wanted = [items[1], null, items[0]]
    expect(await service.client.call(batchGetEvents, { query: { id } })).toEqual(wanted)
    expect(await service.client.call(batchGetConversationEvents, { params, query: { id } })).toEqual(wanted)
  })
})

describe('while the sandbox is paused', () => {
  it('files and changes are refused with 409, the record is not', async ({
    service,
    sandbox,
    file,
    changes,
    diff,
    params,
  }) => {
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    await expect(file({})).rejects.toMatchObject({ status: 409, code: 'sandbox_not_running' })
    await expect(changes()).rejects.toMatchObject({ status: 409 })
    await expect(diff('a.txt')).rejects.toMatchObject({ status: 409 })
    const reply = await fetch(`${service.url}/api/v1/app-conversations/${params.conversation_id}/download`, {
      headers: { 'X-Session-API-Key': service.key },
    })
    expect(reply.status).toBe(200)
    await reply.arrayBuffer()
  })

  it.for(['file', 'git/changes', 'git/diff?path=a', 'download'])(
    'an unknown conversation has no %s',
    async (path, { service }) => {
      const reply = await fetch(`${service.url}/api/v1/app-conversations/${'0'.repeat(32)}/${path}`, {
        headers: { 'X-Session-API-Key': service.key },
      })
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ code: 'conversation_not_found' })
    },
  )
})

/** Texts by name, as Python's own reader finds them. */
function unzip(archive: Buffer): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-zip-'))
  try {
    writeFileSync(join(folder, 'a.zip'), archive)
    const script =
      'import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))'
    return JSON.parse(execFileSync('python3', ['-c', script, join(folder, 'a.zip')], { encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
