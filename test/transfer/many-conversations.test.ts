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

  const perTurn: number[] = [0]
  const next = () => {
    perTurn.push(0)
    turn = setImmediate(next)
  }
  let turn = setImmediate(next)
  const begin = computer.deletions.begin.bind(computer.deletions)
  computer.deletions.begin = (...asked) => {
    perTurn.push((perTurn.pop() ?? 0) + 1)
    return begin(...asked)
  }
  await computer.dataImports.start(one.import_id, { settings: false, passphrase: null })
  const { result } = await settled(computer, one)
  clearImmediate(turn)
  expect(result?.added.conversations).toBe(MANY)
  expect(Math.max(...perTurn)).toBeLessThan(MANY / 20)
  await computer.remove()
})
