import { describe, expect } from 'vitest'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { it as base } from '../fixtures/service.ts'
import { type OpenConversation, WebClient } from './web-client.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, async ({ git }) => {
    await git.add('octo/parser', { 'README.md': 'A parser of marmalade.\n' })
    return {}
  })
  .extend('client', { scope: 'file' }, ({ service }) => new WebClient(service))
  .extend('settings', { scope: 'file' }, ({ client }) => (fields: object) => {
    return client.call('POST', '/api/settings', fields)
  })
  /** What a person does first, and sees: the page opens, and takes a message. */
  .extend(
    'openNew',
    { scope: 'file' },
    ({ client }) =>
      async (
        generation: 'V0' | 'V1',
        place?: { repository: string },
      ): Promise<{ id: string; page: OpenConversation }> => {
        const id = await client.create(generation, place)
        const page = await client.open(id)
        await page.until(shown => shown.canSend(), 'A page that takes a message')
        return { id, page }
      },
  )

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })
const done = { text: 'That is all.' }
const says = (text: string) => (shown: OpenConversation) => shown.rows().some(row => row.text.includes(text))
const isIn = (state: string) => (shown: OpenConversation) => shown.state() === state

it('a first run asks for a model, and then has settings without the key', async ({ client, settings, model }) => {
  expect((await client.call('GET', '/api/settings')).status).toBe(404)
  const stored = await settings({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-marmalade',
    confirmation_mode: false,
  })
  expect(stored.status).toBe(200)
  const { body } = await client.call('GET', '/api/settings')
  expect(body).toMatchObject({ llm_model: 'openai/scripted', llm_api_key: null, llm_api_key_set: true })
})

describe.each(['V0', 'V1'] as const)('a conversation of %s', generation => {
  it('is new, takes a message, works, and is the same after a reload', async ({ model, openNew, client }) => {
    model.setScript([run('echo marmalade'), done])
    const { id, page } = await openNew(generation)
    expect(page.state()).toBe('awaiting_user_input')
    await page.send('Say a word.')
    await page.until(says('That is all.'), 'The answer')
    await page.until(shown => shown.canSend() && shown.state() !== 'running', 'The end')
    expect(
      page
        .rows()
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('marmalade')
    page.close()
    const again = await client.open(id)
    await again.until(says('That is all.'), 'The answer after a reload')
    await again.until(shown => shown.canSend() && shown.state() === page.state(), 'The state after a reload')
    expect(again.rows().map(row => row.id)).toEqual(page.rows().map(row => row.id))
    again.close()
  })

  it('begins in a repository', async ({ service, model, openNew, git }) => {
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: ['host.docker.internal'] } })
    model.setScript([run('cat README.md'), done])
    const { page } = await openNew(generation, { repository: git.url('octo/parser') })
    await page.send('What is it?')
    await page.until(says('A parser of marmalade.'), 'The file')
    page.close()
  })

  it('shows what was changed in a file', async ({ model, openNew }) => {
    const edit = { command: 'create', path: '/workspace/project/a.txt', file_text: 'marmalade\n' }
    model.setScript([{ toolCalls: [{ name: 'file_editor', arguments: edit }] }, done])
    const { page } = await openNew(generation)
    await page.send('Write it.')
    await page.until(says('That is all.'), 'The answer')
    expect(
      page
        .rows()
        .map(({ text }) => text)
        .join('\n'),
    ).toContain(generation === 'V0' ? '+marmalade' : 'a.txt')
    page.close()
  })

  it('stops, and goes on', async ({ model, openNew }) => {
    // The newer client asks for a pause after the step, the older one for a stop at once.
    const command = generation === 'V0' ? 'sleep 600' : 'sleep 2'
    model.setScript([run(command), done])
    const { page } = await openNew(generation)
    await page.send('Wait.')
    await page.until(says(command), 'The command')
    await page.stop()
    await page.until(isIn('paused'), 'The stop')
    expect(page.rows().some(({ text }) => text.includes('That is all.'))).toBe(false)
    await page.goOn()
    await page.until(says('That is all.'), 'The end')
    page.close()
  })

  it('is renamed and deleted', async ({ openNew, client }) => {
    const { id, page } = await openNew(generation)
    expect((await client.call('PATCH', `/api/conversations/${id}`, { title: 'Marmalade' })).body).toBe(true)
    await page.until(shown => shown.title() === 'Marmalade', 'The title')
    const { body: list } = await client.call('GET', '/api/conversations?limit=100')
    expect(list.results).toContainEqual(expect.objectContaining({ conversation_id: id, title: 'Marmalade' }))
    expect((await client.call('DELETE', `/api/conversations/${id}`)).body).toBe(true)
    expect((await client.call('GET', `/api/conversations/${id}`)).body).toBeNull()
    page.close()
  })

  describe('that asks before it acts', () => {
    it.beforeAll(({ settings }) => settings({ confirmation_mode: true }))
    it.afterAll(({ settings }) => settings({ confirmation_mode: false }))

    it('acts when it is accepted, and asks again after a reload', async ({ model, openNew, client }) => {
      model.setScript([run('echo marmalade'), done])
      const { id, page } = await openNew(generation)
      await page.send('Go.')
      await page.until(shown => shown.rows().at(-1)?.asks === true, 'Accept and Reject')
      expect(page.canSend()).toBe(false)
      page.close()
      const again = await client.open(id)
      await again.until(shown => shown.rows().at(-1)?.asks === true, 'Accept and Reject after a reload')
      await again.answer(true)
      await again.until(says('That is all.'), 'The end')
      expect(again.rows().at(-1)?.asks).toBe(false)
      again.close()
    })

    it('does not act when it is rejected', async ({ model, openNew, client }) => {
      model.setScript([run('touch made'), done])
      const { id, page } = await openNew(generation)
      await page.send('Go.')
      await page.until(shown => shown.rows().at(-1)?.asks === true, 'Accept and Reject')
      await page.answer(false)
      await page.until(shown => shown.canSend(), 'A page that takes a message')
      const file = await client.call('GET', `/api/conversations/${id}/list-files`)
      expect(file.body).not.toContain('made')
      page.close()
    })
  })
})

it('secrets are stored, listed without their values, and removed', async ({ client }) => {
  const secret = { name: 'MARMALADE', value: 'orange', description: 'a jam' }
  expect((await client.call('POST', '/api/secrets', secret)).status).toBe(201)
  const { body } = await client.call('GET', '/api/secrets')
  expect(body.custom_secrets).toEqual([{ name: 'MARMALADE', description: 'a jam' }])
  expect((await client.call('DELETE', '/api/secrets/MARMALADE')).status).toBe(200)
  expect((await client.call('GET', '/api/secrets')).body.custom_secrets).toEqual([])
})

it('tool servers are stored and listed', async ({ settings, client }) => {
  const mcp_config = {
    sse_servers: [],
    shttp_servers: [],
    stdio_servers: [{ name: 'jam', command: 'node', args: ['jam.mjs'], env: {} }],
  }
  expect((await settings({ mcp_config })).status).toBe(200)
  const { body } = await client.call('GET', '/api/settings')
  expect(body.mcp_config.stdio_servers).toMatchObject([{ name: 'jam', command: 'node' }])
  expect((await settings({ mcp_config: { sse_servers: [], shttp_servers: [], stdio_servers: [] } })).status).toBe(200)
})
