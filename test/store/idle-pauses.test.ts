import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Database } from '../../server/store/database/database.ts'
import { SandboxIdlePauses } from '../../server/store/sandbox/idle-pauses.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

test('which sandboxes were paused for want of use is known after a restart', () => {
  const store = openStore()
  try {
    const before = new SandboxIdlePauses(store.database)
    before.save('kept', 60)
    before.save('resumed', 15)
    expect([before.forget('resumed'), before.forget('resumed')]).toEqual([true, false])
    store.database.close()
    const database = Database.open(join(store.folder, 'atelier.db'))
    const after = new SandboxIdlePauses(database)
    expect([after.ids, after.minutesOf('kept'), after.minutesOf('resumed')]).toEqual([['kept'], 60, undefined])
    database.close()
  } finally {
    store.remove()
  }
})

test('an agent works in a sandbox as long as its conversation runs', () => {
  const store = openStore()
  try {
    const pauses = new SandboxIdlePauses(store.database)
    const conversation = aConversation()
    store.conversations.insert(conversation)
    expect(pauses.isWorkedIn(conversation.sandbox_id)).toBe(false)
    store.conversations.update(conversation.id, { execution_status: 'running' })
    expect(pauses.isWorkedIn(conversation.sandbox_id)).toBe(true)
  } finally {
    store.remove()
  }
})
