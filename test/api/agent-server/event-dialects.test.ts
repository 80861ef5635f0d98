import { describe, expect } from 'vitest'
import type { EventDialect } from '../../../server/api/event-dialects.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { type GatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { FINISH, START, said, tool } from '../../parts/client/gateway-conversation.ts'
import { watchGateway, watchSocket } from '../../parts/client/watch-gateway.ts'

// Every kind has other fields.
// biome-ignore lint/suspicious/noExplicitAny: tests look into them freely
type Frame = any

const it = base
  .extend('gateway', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  // A test goes on with it, after which it has more events.
  .extend('conversation', { scope: 'file' }, async ({ gateway, model }) => {
    model.setScript([
      tool('terminal', { command: 'echo marmalade' }),
      tool('terminal', { command: 'echo broken >&2; false' }),
      tool('think', { thought: 'Well.' }),
      tool('task_tracker', { command: 'plan', task_list: [{ title: 'One', status: 'todo' }] }),
      tool('file_editor', { command: 'view', path: '/nowhere' }),
      FINISH,
    ])
    const started = await gateway.call('POST', '/api/conversations', { ...START, initial_message: said('Begin') })
    const id: string = started.body.id
    const seen = await watchGateway(gateway, id)
    await seen.untilStatus('finished')
    await seen.close()
    return { id, count: await countOf(gateway, id) }
  })
  .extend(
    'framesOf',
    { scope: 'file' },
    ({ conversation }) =>
      async (from: GatewayCaller, query: string): Promise<Frame[]> => {
        const seen = await watchSocket(from, `/sockets/events/${conversation.id}${query}`)
        await seen.until(() => seen.frames.length > conversation.count, 'The last event')
        await seen.close()
        return seen.frames.slice(1)
      },
  )
  .extend('searched', { scope: 'file' }, ({ gateway, conversation }) => async (query: string): Promise<Frame[]> => {
    return (await gateway.call('GET', `/api/conversations/${conversation.id}/events/search${query}`)).body.items
  })
  /** Calls to the port of the app. */
  .extend('ownPort', { scope: 'file' }, ({ app, service }): GatewayCaller => ({ ...app, url: service.url }))
  .extend('setting', { scope: 'file' }, ({ service }) => (event_dialect: EventDialect | null) => {
    return service.client.call(storeSettingsV1, { body: { event_dialect } })
  })

const countOf = async (gateway: GatewayCaller, id: string): Promise<number> =>
  (await gateway.call('GET', `/api/conversations/${id}/events/count`)).body

const observationsIn = (frames: Frame[]) => frames.filter(({ kind }) => kind === 'ObservationEvent')
const kindsIn = (frames: Frame[]) => observationsIn(frames).map(({ observation }) => observation.kind)
const KINDS = ['Terminal', 'Terminal', 'Think', 'TaskTracker', 'FileEditor', 'Finish'].map(kind => `${kind}Observation`)
const KINDS_OF_2025 = KINDS.map(kind => kind.replace('Terminal', 'ExecuteBash'))

describe('a client of 2025', () => {
  it('gets as many events as are counted, in the kinds and with the fields that it reads', async ({
    framesOf,
    gateway,
    conversation,
  }) => {
    const frames = await framesOf(gateway, '?resend_all=true')
    expect(frames).toHaveLength(conversation.count)
    expect(kindsIn(frames)).toEqual(KINDS_OF_2025)
    const [command, failed, thought, list, file, finish] = observationsIn(frames)
    expect(command).toMatchObject({
      source: 'environment',
      observation: { command: 'echo marmalade', exit_code: 0, error: false, metadata: { exit_code: 0 } },
    })
    expect(command.observation.content[0].text).toContain('marmalade')
    expect(failed.observation).toMatchObject({ exit_code: 1, metadata: { exit_code: 1 } })
    expect(thought.observation.content).toBe('Your thought has been logged.')
    expect(list.observation).toMatchObject({
      content: expect.stringContaining('1 item'),
      task_list: [{ title: 'One' }],
    })
    expect(file.observation).toMatchObject({ output: '', error: expect.stringContaining('/nowhere') })
    expect(finish).toMatchObject({ source: 'agent', observation: { message: 'All done.' } })
  })

  it('reads what is to be done in the same kinds, and tools as functions', async ({ framesOf, gateway }) => {
    const frames = await framesOf(gateway, '?resend_all=true')
    const actions = frames.filter(({ kind }) => kind === 'ActionEvent')
    expect(actions[0].action).toMatchObject({ kind: 'ExecuteBashAction', command: 'echo marmalade' })
    expect(actions.at(-1).action).toMatchObject({ kind: 'FinishAction', message: 'All done.' })
    const [prompt] = frames.filter(({ kind }) => kind === 'SystemPromptEvent')
    expect(prompt.tools[0]).toMatchObject({ type: 'function', function: { name: 'terminal' } })
    for (const { source } of frames) expect(['agent', 'user', 'environment']).toContain(source)
  })

  it('gets the same from the port of the app, and live', async ({
    framesOf,
    ownPort,
    gateway,
    conversation,
    model,
  }) => {
    expect(await framesOf(ownPort, '?resend_all=true')).toEqual(await framesOf(gateway, '?resend_all=true'))
    const seen = await watchSocket(gateway, `/sockets/events/${conversation.id}?event_dialect=2025`)
    await seen.until(frame => frame.key === 'full_state')
    model.setScript([tool('terminal', { command: 'echo live' }), FINISH])
    seen.send(said('Once more'))
    const observed = await seen.until(frame => frame.kind === 'ObservationEvent')
    expect(observed.observation.kind).toBe('ExecuteBashObservation')
    await seen.until(frame => frame.observation?.kind === 'FinishObservation', 'The end')
    await seen.close()
    conversation.count = await countOf(gateway, conversation.id)
  })
})

describe('any other client', () => {
  it('gets the kinds of today, with as many events, and in a search too', async ({
    framesOf,
    gateway,
    searched,
    ownPort,
  }) => {
    const frames = await framesOf(gateway, '?resend_mode=all')
    expect(kindsIn(frames).slice(0, KINDS.length)).toEqual(KINDS)
    expect(frames).toEqual(await searched(''))
    const own = await framesOf(ownPort, '?after_seq=-1')
    expect(kindsIn(own).slice(0, KINDS.length)).toEqual(KINDS)
    expect(own[0]).toHaveProperty('seq', 0)
    expect(observationsIn(frames)[2].observation.content).toEqual([
      expect.objectContaining({ text: 'Your thought has been logged.' }),
    ])
  })
})

describe('who says which kinds it knows', () => {
  it('gets them, in sockets and searches of both ports', async ({
    framesOf,
    gateway,
    searched,
    conversation: { id },
    service,
  }) => {
    const older = await framesOf(gateway, '?resend_mode=all&event_dialect=2025')
    expect(older).toEqual(await framesOf(gateway, '?resend_all=true'))
    expect(await searched('?event_dialect=2025')).toEqual(older)
    expect(kindsIn(await framesOf(gateway, '?resend_all=true&event_dialect=current')).slice(0, KINDS.length)).toEqual(
      KINDS,
    )
    for (const path of [
      `/api/v1/conversation/${id}/events/search?`,
      `/api/v1/events/search?conversation_id__eq=${id}&`,
    ]) {
      const get = async (query: string) =>
        (await fetch(`${service.url}${path}${query}`, { headers: { 'X-Session-API-Key': service.key } })).json()
      expect((await get('event_dialect=2025')).items).toEqual(older)
      expect(kindsIn((await get('')).items).slice(0, KINDS.length)).toEqual(KINDS)
    }
    const { id: event } = older.at(-1)
    const one = await gateway.call('GET', `/api/conversations/${id}/events/${event}?event_dialect=2025`)
    expect(one.body).toEqual(older.at(-1))
  })

  it('is refused with 422 when nobody knows such kinds', async ({ gateway, conversation: { id } }) => {
    const reply = await gateway.call('GET', `/api/conversations/${id}/events/search?event_dialect=1999`)
    expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['query', 'event_dialect']])
  })
})

describe('the setting', () => {
  it('decides for clients of the gateway that say nothing, and for no others', async ({
    framesOf,
    gateway,
    ownPort,
    setting,
    searched,
  }) => {
    const older = await framesOf(gateway, '?resend_all=true')
    const own = await framesOf(ownPort, '?after_seq=-1')
    await setting('2025')
    expect(await searched('')).toEqual(older)
    expect(await framesOf(gateway, '?resend_mode=all')).toEqual(older)
    expect(await framesOf(ownPort, '?after_seq=-1')).toEqual(own)
    await setting('current')
    expect(kindsIn(await framesOf(gateway, '?resend_all=true')).slice(0, KINDS.length)).toEqual(KINDS)
    await setting(null)
    expect(await framesOf(gateway, '?resend_all=true')).toEqual(older)
  })
})
