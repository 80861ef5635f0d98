import { expect } from 'vitest'
import { HIDDEN } from '../../../../server/api/contract/hidden-values.ts'
import { ANSWER_REVIEW_COMMENT } from '../../../../server/api/event/review-comments.ts'
import { forkConversation, navigateConversation } from '../../../../server/api/v1/conversation/actions.ts'
import { sendMessage } from '../../../../server/api/v1/conversation/conversations.ts'
import { listReviewComments, sendReviewComments } from '../../../../server/api/v1/conversation/review.ts'
import { createSecret } from '../../../../server/api/v1/settings/secrets.ts'
import { it as base } from '../../../fixtures/service.ts'
import { said, startConversation } from '../../../parts/client/conversation.ts'
import { type Watch, watch } from '../../../parts/client/watch.ts'

const it = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-test',
  }))
  .extend('serviceOptions', { scope: 'file' }, ({ settings }) => ({ settings }))
  .extend('offered', { scope: 'file' }, ({ model }) => () => {
    return model.requests
      .at(-1)
      ?.body.tools.some((tool: { function: { name: string } }) => tool.function.name === ANSWER_REVIEW_COMMENT)
  })
  .extend(
    'begin',
    { scope: 'file' },
    ({ model, service }) =>
      async (fields: object = {}): Promise<{ params: { conversation_id: string }; seen: Watch }> => {
        model.setScript([FINISH])
        const { app_conversation_id } = await startConversation(service, { initial_message: said('Go'), ...fields })
        const params = { conversation_id: app_conversation_id ?? '' }
        const seen = await watch(service, params.conversation_id)
        await seen.untilStatus('finished')
        return { params, seen }
      },
  )
  .extend(
    'review',
    { scope: 'file' },
    ({ begin, model, service }) =>
      async (
        { params, seen }: Awaited<ReturnType<typeof begin>>,
        comments: readonly object[],
        turns: readonly object[],
      ): Promise<number[]> => {
        const before = seen.events().length
        model.setScript([...turns, FINISH] as never)
        const { numbers } = await service.client.call(sendReviewComments, {
          params,
          body: { comments: comments as never },
        })
        await seen.untilStatus('finished', before)
        return numbers
      },
  )
  .extend('answers', { scope: 'file' }, ({ service }) => async (params: { conversation_id: string }) => {
    return (await service.client.call(listReviewComments, { params })).items.map(({ number, answer: given }) => [
      number,
      given?.outcome ?? null,
      given?.text ?? null,
    ])
  })

const SECRET = 'value-of-the-secret'

it.beforeAll(async ({ service }) => {
  await service.client.call(createSecret, { body: { name: 'SECRET', value: SECRET } })
})

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args })
const FINISH = { toolCalls: [call('finish', { message: 'Done.' })] }
const answer = (comment: unknown, text: string, outcome = 'done') =>
  call(ANSWER_REVIEW_COMMENT, { comment, text, outcome })
const COMMENT = { path: 'a\n`.ts', side: 'after', line: 2, quoted: '> b', above: 'a', text: 'Comment 1 on it' } as const

it('the agent answers each comment by its number, in one step, without being asked about it', async ({
  begin,
  offered,
  review,
  answers,
  service,
}) => {
  const conversation = await begin({ confirmation_policy: { kind: 'AlwaysConfirm' } })
  const { params, seen } = conversation
  expect(offered()).toBe(false)
  const two = [COMMENT, { ...COMMENT, line: 9, side: 'before', text: 'Why?' }]
  const both = { toolCalls: [answer(1, 'It is *cheaper*.'), answer('2', 'Which one?', 'question')] }
  expect(await review(conversation, two, [both])).toEqual([1, 2])
  expect(offered()).toBe(true)
  expect(await answers(params)).toEqual([
    [1, 'done', 'It is *cheaper*.'],
    [2, 'question', 'Which one?'],
  ])
  const { items } = await service.client.call(listReviewComments, { params })
  expect(items).toMatchObject([COMMENT, { line: 9, side: 'before', text: 'Why?' }])
  const given = seen.of('ActionEvent').filter(({ tool_name }) => tool_name === ANSWER_REVIEW_COMMENT)
  expect(given[0]?.action).toMatchObject({ kind: 'MCPToolAction', data: { comment: 1, path: 'a\n`.ts', line: 2 } })
  await seen.close()
})

it('an unknown number is an error that names the open ones, and a later answer takes the place of the first', async ({
  begin,
  review,
  answers,
}) => {
  const conversation = await begin()
  const { params, seen } = conversation
  await review(
    conversation,
    [COMMENT],
    [{ toolCalls: [answer(7, 'To nobody.')] }, { toolCalls: [answer(1, 'First.')] }],
  )
  const [refused] = seen.of('ObservationEvent').filter(({ tool_name }) => tool_name === ANSWER_REVIEW_COMMENT)
  expect(refused?.observation).toMatchObject({ kind: 'MCPToolObservation', is_error: true })
  expect(JSON.stringify(refused?.observation.content)).toContain(
    'There is no comment 7 here. Comments without an answer: 1',
  )
  expect(await review(conversation, [COMMENT], [{ toolCalls: [answer(1, 'Second.'), answer(2, 'New.')] }])).toEqual([2])
  expect(await answers(params)).toEqual([
    [1, 'done', 'Second.'],
    [2, 'done', 'New.'],
  ])
  await seen.close()
})

it('a secret in an answer is hidden, in the log as well', async ({ begin, review, answers }) => {
  const conversation = await begin()
  await review(conversation, [COMMENT], [{ toolCalls: [answer(1, `It is ${SECRET}.`)] }])
  expect(await answers(conversation.params)).toEqual([[1, 'done', `It is ${HIDDEN}.`]])
  expect(JSON.stringify(conversation.seen.events())).not.toContain(SECRET)
  await conversation.seen.close()
})

it('comments belong to their branch, whose numbers no other has, and go with a copy', async ({
  begin,
  review,
  service,
  answers,
}) => {
  const conversation = await begin()
  const { params, seen } = conversation
  await review(conversation, [COMMENT], [{ toolCalls: [answer(1, 'Left.')] }])
  const [first] = seen.of('MessageEvent')
  await service.client.call(navigateConversation, { params, body: { event_id: first?.id ?? '' } })
  expect(await answers(params)).toEqual([])
  expect(await review(conversation, [COMMENT], [{ toolCalls: [answer(1, 'Gone.'), answer(2, 'Here.')] }])).toEqual([2])
  expect(await answers(params)).toEqual([[2, 'done', 'Here.']])
  const copy = await service.client.call(forkConversation, { params, body: {} })
  expect(await answers({ conversation_id: copy.id })).toEqual([[2, 'done', 'Here.']])
  await seen.close()
})

it('what a person writes by hand is no review', async ({ begin, model, service, answers, offered }) => {
  const { params, seen } = await begin()
  const before = seen.events().length
  model.setScript([FINISH])
  await service.client.call(sendMessage, {
    params,
    body: said(`Use ${ANSWER_REVIEW_COMMENT}.\n\nComment 1 on "a", line 1:`),
  })
  await seen.untilStatus('finished', before)
  expect(await answers(params)).toEqual([])
  expect(offered()).toBe(false)
  await seen.close()
})
