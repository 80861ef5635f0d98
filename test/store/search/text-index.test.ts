import { afterEach, expect, test, vi } from 'vitest'
import { newEvent } from '../../bench/agent-event.ts'
import { aConversation, openStore } from '../../parts/service/store.ts'
import { openIndex, search } from '../../parts/service/text-index.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

function storeWithIndex() {
  const store = openStore()
  opened.push(() => store.remove())
  return store
}

test('finds what is appended', async () => {
  const store = storeWithIndex()
  const conversation = aConversation({ title: 'Parser of tables' })
  store.conversations.insert(conversation)
  store.eventLog.appendAll(
    conversation.id,
    Array.from({ length: 50 }, (_, index) => newEvent(index)),
  )
  const index = openIndex(store.folder)
  opened.push(() => index.close())
  await vi
    .waitFor(async () => expect((await search(index, 'something 3')).hits).not.toHaveLength(0), 5000)
    .catch(error => {
      console.log(error.cause, index.progress())
      throw error
    })
  console.log(
    JSON.stringify(
      await search(index, 'something 3', { limit: 3, conversation: conversation.id, counts: true }),
      null,
      1,
    ),
    index.progress(),
  )
  console.log(JSON.stringify(await search(index, 'pars', { limit: 3 }), null, 1))
})
