import { expect } from 'vitest'
import { appConversationStartTask } from '../../../../server/api/v1/conversation/starts.ts'
import { it as base } from '../../../fixtures/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('post', { scope: 'file' }, ({ service }) => (body: unknown, signal: AbortSignal | null = null) => {
    return fetch(`${service.url}/api/v1/app-conversations/stream-start`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  })

it('a start is told step by step, as one JSON array', async ({ post }) => {
  const reply = await post({ title: 'Streamed' })
  expect(reply.headers.get('content-type')).toContain('application/json')
  const tasks = appConversationStartTask.array().parse(await reply.json())
  expect(new Set(tasks.map(task => task.id)).size).toBe(1)
  expect(tasks[0]?.status).toBe('WORKING')
  expect(tasks.map(task => task.status)).toContain('WAITING_FOR_SANDBOX')
  expect(tasks.at(-1)).toMatchObject({ status: 'READY', app_conversation_id: expect.any(String) })
})

it('the first element comes before the start has ended', async ({ post }) => {
  const abort = new AbortController()
  const reply = await post({ title: 'Left early' }, abort.signal)
  const reader = reply.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(JSON.parse(`${first.trim().split('\n')[0]}]`)[0]).toMatchObject({ status: 'WORKING' })
  abort.abort()
})

it('a refused start is an error and no array', async ({ post }) => {
  const reply = await post({ conversation_id: 'no-uuid' })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ code: 'invalid_id' })
})
