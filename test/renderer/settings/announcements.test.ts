import { expect, test } from 'vitest'
import { announcementsOf, seenStates, windowTitle } from '../../../renderer/state/notice/announcements.ts'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'

/** The fields that decide; the others do not matter here. */
const conversation = (status: AppConversation['execution_status'], id = 'a') =>
  ({ id, title: 'Fix it', execution_status: status, limit_reached: null, sandbox_status: 'RUNNING' }) as AppConversation

test.each(['finished', 'error', 'stuck', 'waiting_for_confirmation'] as const)('work that ends in %s is told', end => {
  const told = announcementsOf(seenStates([conversation('running')]), [conversation(end)])
  expect(told).toEqual([
    {
      title: expect.stringMatching(/^Fix it: /),
      body: expect.any(String),
      conversation: 'a',
      asks: end === 'waiting_for_confirmation',
    },
  ])
})

test('a pause is not told, for the person asked for it', () => {
  expect(announcementsOf(seenStates([conversation('running')]), [conversation('paused')])).toEqual([])
})

test('what was done before the window opened is not told', () => {
  expect(announcementsOf(new Map(), [conversation('finished')])).toEqual([])
})

test('work that was too short to be seen is told, and going back is not', () => {
  const told = (before: AppConversation['execution_status'], now: AppConversation['execution_status']) =>
    announcementsOf(seenStates([conversation(before)]), [conversation(now)]).length
  expect(told('idle', 'finished')).toBe(1)
  expect(told('waiting_for_confirmation', 'error')).toBe(1)
  expect(told('finished', 'waiting_for_confirmation')).toBe(1)
  expect(told('idle', 'waiting_for_confirmation')).toBe(1)
  expect(told('waiting_for_confirmation', 'waiting_for_confirmation')).toBe(0)
  expect(told('waiting_for_confirmation', 'idle')).toBe(0)
  expect(told('finished', 'idle')).toBe(0)
})

test('each question is told once, also when no work was seen in between', () => {
  const asking = (updated_at: string) => [{ ...conversation('waiting_for_confirmation'), updated_at }]
  const first = asking('2026-01-01T10:00:00.000Z')
  const [told] = announcementsOf(seenStates(first), asking('2026-01-01T10:00:01.000Z'))
  expect(told).toMatchObject({ asks: true, conversation: 'a' })
  expect(announcementsOf(seenStates(first), first)).toEqual([])
})

test('an end is told once', () => {
  const done = [conversation('finished')]
  expect(announcementsOf(seenStates(done), done)).toEqual([])
})

test('an agent that asks before it acts is told apart from one that just waits', () => {
  const [told] = announcementsOf(seenStates([conversation('running')]), [conversation('waiting_for_confirmation')])
  expect(told?.body).toContain('wants to act')
})

test('a sub-agent that is done is not told, one that asks and one that built a plan are', () => {
  const helper = (status: AppConversation['execution_status'], parent: string) => ({
    ...conversation(status),
    parent_conversation_id: parent,
  })
  const plan = { ...conversation('finished', 'plan'), agent_type: 'plan' as const }
  const told = (status: AppConversation['execution_status'], parent: string) =>
    announcementsOf(seenStates([helper('running', parent), plan]), [helper(status, parent), plan]).length
  expect(told('finished', 'other')).toBe(0)
  expect(told('waiting_for_confirmation', 'other')).toBe(1)
  expect(told('finished', 'plan')).toBe(1)
})

test('the window’s title counts the agents that wait for a word, and only those', () => {
  const conversations = (['waiting_for_confirmation', 'idle', 'running', 'waiting_for_confirmation'] as const).map(
    (status, place) => conversation(status, String(place)),
  )
  expect(windowTitle(conversations)).toBe('(2) Waiting for you · Atelier')
  expect(windowTitle([conversation('idle')])).toBe('Atelier')
  expect(windowTitle([conversation('idle')], { title: 'Fix the parser' })).toBe('Fix the parser · Atelier')
  expect(windowTitle(conversations, { title: 'photo\u202Egpj.exe' })).toBe('(2) photogpj.exe · Atelier')
})
