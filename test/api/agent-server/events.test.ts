import { describe, expect } from 'vitest'
import { it } from '../../fixtures/gateway.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { FINISH } from '../../parts/client/gateway-conversation.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'

describe('the socket of a conversation', () => {
  it('sends the full state first, then as many events as are counted, with the field names of both dialects', async ({
    finished,
    first,
  }) => {
    const id = await finished(first.caller)
    const count = (await first.caller.call('GET', `/api/conversations/${id}/events/count`)).body
    const seen = await watchGateway(first.caller, id, '?resend_mode=all')
    await seen.until(() => seen.frames.length === count + 1, 'The last event')
    expect(seen.frames[0]).toMatchObject({ key: 'full_state', value: { id, execution_status: 'finished' } })
    const { body } = await first.caller.call('GET', `/api/conversations/${id}/events/search`)
    expect(seen.frames.slice(1)).toEqual(body.items)
    const observation = body.items.find((event: { kind: string }) => event.kind === 'ObservationEvent')
    expect(observation.observation).toMatchObject({
      kind: 'TerminalObservation',
      output: expect.stringContaining('hello'),
      error: false,
    })
    expect(observation.extended_content).toEqual([])
    expect(body.items.find((event: { kind: string }) => event.kind === 'SystemPromptEvent').tools[0]).toMatchObject({
      kind: 'TerminalTool',
      action_type: 'TerminalAction',
    })
    for (const event of body.items) expect(event.timestamp).toMatch(/^[-0-9]{10}T[0-9:]{8}[.][0-9]{6}$/)
    await seen.close()
  })

  it('resends from a time on, that one included', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const { body } = await first.caller.call('GET', `/api/conversations/${id}/events/search`)
    const from = body.items.at(-2)
    const expected = body.items.filter((event: { timestamp: string }) => event.timestamp >= from.timestamp)
    const seen = await watchGateway(first.caller, id, `?resend_mode=since&after_timestamp=${from.timestamp}`)
    await seen.until(() => seen.frames.length === expected.length + 1, 'The last event')
    expect(seen.frames.slice(1)).toEqual(expected)
    await seen.close()
  })

  it('takes a message, also with a picture in the older shape, and ends the run with the full state', async ({
    finished,
    first,
    model,
  }) => {
    const id = await finished(first.caller)
    model.setScript([FINISH])
    const seen = await watchGateway(first.caller, id)
    await seen.until(frame => frame.key === 'full_state')
    const from = seen.frames.length
    const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' }
    seen.send({
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url },
      ],
    })
    await seen.until(
      frame => seen.frames.indexOf(frame) >= from && frame.key === 'full_state',
      'The state after the run',
    )
    expect(seen.frames.at(-1)).toMatchObject({ key: 'full_state', value: { execution_status: 'finished' } })
    expect(seen.frames.find(frame => JSON.stringify(frame).includes('image_urls'))).toBeTruthy()
    seen.send({ role: 'robot' })
    const refused = await seen.until(frame => frame.kind === 'ServerErrorEvent')
    expect(refused).toMatchObject({ source: 'environment', timestamp: expect.stringMatching(/[.][0-9]{6}$/) })
    await seen.close()
  })

  it('is closed with 4001 for a wrong key and 4004 for an unknown conversation', async ({
    finished,
    first,
    service,
  }) => {
    const id = await finished(first.caller)
    const wrong = gatewayCaller(service, 'wrong')
    expect(await (await watchGateway(wrong, id)).closed).toBe(4001)
    expect(await (await watchGateway(first.caller, '0'.repeat(32))).closed).toBe(4004)
  })
})

describe('searching events', () => {
  it('filters by kind, source and text, and pages by event ids', async ({ finished, first }) => {
    const id = await finished(first.caller)
    const search = async (query: string) =>
      (await first.caller.call('GET', `/api/conversations/${id}/events/search?${query}`)).body
    const path = 'openhands.sdk.event.llm_convertible.action.ActionEvent'
    expect((await search(`kind=${path}`)).items).toHaveLength(2)
    expect((await search('kind=ActionEvent&source=user')).items).toEqual([])
    expect((await search('body=SAY%20hello')).items).toHaveLength(1)
    const all = (await search('')).items
    const ids: string[] = []
    for (let page = ''; ; ) {
      const found = await search(`limit=2${page}`)
      ids.push(...found.items.map((event: { id: string }) => event.id))
      if (found.next_page_id === null) break
      page = `&page_id=${found.next_page_id}`
    }
    expect(ids).toEqual(all.map((event: { id: string }) => event.id))
    expect((await first.caller.call('GET', `/api/conversations/${id}/events/${ids[0]}`)).body).toEqual(all[0])
    expect((await first.caller.call('GET', `/api/conversations/${id}/events/unknown`)).status).toBe(404)
  })
})
