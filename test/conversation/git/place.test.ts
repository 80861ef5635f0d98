import { expect, it } from 'vitest'
import { placeSeen, type SeenPlaces } from '../../../server/conversation/git/place.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { aConversation } from '../../parts/service/store.ts'

const conversation = aConversation()
const seenBefore = { branch: 'work', remote: { name: 'github' } }

/** Asks for the place of a conversation while looking at its sandbox comes to this. */
function ask(look: () => Promise<unknown>, seen: SeenPlaces) {
  const parts = { seen, conversations: { findOwn: () => conversation }, tokens: {}, sandboxes: { look } }
  return placeSeen(conversation.id, parts as never, new AbortController().signal)
}

it('that an engine did not answer is not remembered: a sandbox that is paused afterwards is as it was', async () => {
  const seen: SeenPlaces = new Map()
  await ask(async () => seenBefore, seen)
  const fail = () => Promise.reject(new AppError('engine_unavailable', 'The engine is away.'))
  expect(await ask(fail, seen)).toBeNull()
  expect(await ask(async () => undefined, seen)).toEqual({ ...seenBefore, conversation })
})

it('that nothing is checked out is remembered', async () => {
  const seen: SeenPlaces = new Map()
  expect(await ask(async () => null, seen)).toBeNull()
  expect(await ask(async () => undefined, seen)).toBeNull()
})
