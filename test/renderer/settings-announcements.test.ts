import { expect, test } from 'vitest'
import { announcementsOf, seenStates } from '../../renderer/state/announcements.ts'
import type { AppConversation } from '../../server/api/app-conversations.ts'

/** The fields that decide; the others do not matter here. */
const conversation = (status: AppConversation['execution_status'], id = 'a') =>
  ({ id, title: 'Fix it', execution_status: status, limit_reached: null, sandbox_status: 'RUNNING' }) as AppConversation

test.each(['finished', 'error', 'stuck', 'waiting_for_confirmation'] as const)('work that ends in %s is told', end => {
  const told = announcementsOf(seenStates([conversation('running')]), [conversation(end)])
  expect(told).toEqual([{ title: expect.stringMatching(/^Fix it: /), body: expect.any(String) }])
})

test('a pause is not told, for the person asked for it', () => {
  expect(announcementsOf(seenStates([conversation('running')]), [conversation('paused')])).toEqual([])
})

test('what was done before the window opened is not told', () => {
  expect(announcementsOf(new Map(), [conversation('finished')])).toEqual([])
})

test('an end is told once', () => {
  const done = [conversation('finished')]
  expect(announcementsOf(seenStates(done), done)).toEqual([])
})
