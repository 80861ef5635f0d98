import { expect, it } from 'vitest'
import { newConversationId } from '../../server/domain/ids.ts'
import { AT, aFile } from './a-file.ts'
import { aComputer, checked, settled } from './computer.ts'

const MANY = 600

it('thousands of conversations without an event leave room for others between any two', async () => {
  const computer = aComputer()
  const ids = Array.from({ length: MANY }, () => newConversationId())
  const line = (id: string) => `${JSON.stringify({ conversation: { id, created_at: AT, updated_at: AT } })}\n`
  const bytes = await aFile(Object.fromEntries(ids.map(id => [`conversations/${id}.jsonl`, line(id)])))
  // Reading each alone costs the main thread a query and a schema.
  computer.conversations.get = () => {
    throw new Error('One is read alone.')
  }
  const one = await checked(computer, bytes)
  expect(one.contents?.counts.conversations).toBe(MANY)

  let inTurn = 0
  let most = 0
  const begin = computer.deletions.begin.bind(computer.deletions)
  computer.deletions.begin = (...asked) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn++
    most = Math.max(most, inTurn)
    return begin(...asked)
  }
  await computer.dataImports.start(one.import_id, { settings: false, passphrase: null })
  const { result } = await settled(computer, one)
  expect(result?.added.conversations).toBe(MANY)
  expect(most).toBeLessThan(MANY / 20)
  await computer.remove()
})
