import { afterEach, describe, expect } from 'vitest'
import { textOf } from '../../../server/event/model-messages.ts'
import type { Turn } from '../../fakes/model-server/turn.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { call } from '../../parts/client/legacy.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'

const it = base
  .extend('model', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('plain', { 'README.md': 'Nothing yet.\n' })
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789', allowed_hosts: ['host.docker.internal'] }),
  }))
  /** The agent's turns; who asks without tools wants a title. */
  .extend('script', { scope: 'file' }, ({ model }) => (turns: Turn[]): void => {
    const left = [...turns]
    model.setScript(({ body }) => (body.tools ? left.shift() : { text: 'A title' }) ?? { text: 'Nothing more.' })
  })
  .extend('follow', { scope: 'file' }, ({ service }) => async (id: string): Promise<Watch> => {
    const seen = await watch(service, id)
    watches.push(seen)
    return seen
  })
  .extend('start', { scope: 'file' }, ({ service, git, follow }) => async (text: string) => {
    const task = await startConversation(service, {
      selected_repository: git.url('plain'),
      initial_message: said(text),
      title: 'Instructions',
    })
    const id = task.app_conversation_id ?? ''
    return { id, seen: await follow(id) }
  })

const watches: Watch[] = []

afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
})

const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const done = tool('finish', { message: 'Done.' })
const run = (command: string) => tool('terminal', { command })

describe('instructions that an agent writes', () => {
  it('come up in the next conversation', async ({ script, model, service, git, follow, start }) => {
    const file = '---\nname: tests\ntriggers:\n  - testing\n---\nRun `make test` in shop.\n'
    script([
      tool('file_editor', {
        command: 'create',
        path: '/workspace/project/plain/.openhands/microagents/tests.md',
        file_text: file,
      }),
      run('git add -A && git commit -qm "Tell agents about tests" && git push -q origin HEAD:main && echo pushed'),
      done,
    ])
    const before = model.requests.length
    const made = await call(service, 'POST', '/api/conversations', {
      create_microagent: { repo: git.url('plain'), title: 'Tests' },
    })
    const { conversation_id: id } = made.body as { conversation_id: string }
    await model.request(before)
    const seen = await follow(id)
    await seen.untilStatus('finished')
    const [message] = seen.of('MessageEvent')
    const instruction = textOf(message?.llm_message.content ?? [])
    expect(instruction).toContain('.openhands/microagents/')
    expect(instruction).toContain('about: Tests')
    expect(await git.git('plain', 'show', 'main:.openhands/microagents/tests.md')).toBe(file)

    script([{ text: 'Fine.' }])
    const next = await start('How about testing?')
    await next.seen.untilStatus('finished')
    expect(next.seen.of('MessageEvent')[0]?.activated_skills).toEqual(['tests'])
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Run `make test` in shop.')
  })

  it('are worded from what happened', async ({ script, start, model, service }) => {
    script([run('make test || echo "use npm test"'), done])
    const { id, seen } = await start('Run the tests')
    await seen.untilStatus('finished')
    model.setScript([{ text: 'Here: <update_prompt>Remember `npm test`.</update_prompt>' }])
    const reply = await call(service, 'GET', `/api/conversations/${id}/remember-prompt?event_id=3`)
    expect(reply).toMatchObject({ status: 200, body: { status: 'success', prompt: 'Remember `npm test`.' } })
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('use npm test')
  })
})
