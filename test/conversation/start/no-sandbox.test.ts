import { expect, it } from 'vitest'
import { appConversationStartRequest } from '../../../server/api/v1/conversation/starts.ts'
import { parentInSandbox } from '../../../server/conversation/start/record.ts'
import { Starter } from '../../../server/conversation/start/starter.ts'
import type { StartPlan } from '../../../server/domain/start-plan.ts'
import { aConversation } from '../../parts/service/store.ts'

const parent = aConversation({ sandbox_id: '' })
const request = appConversationStartRequest.parse({ parent_conversation_id: parent.id })

it('a sub-conversation of one without a sandbox gets a sandbox of its own', () => {
  let begun: StartPlan | undefined
  const tasks = {
    starting: () => [],
    begin: (plan: StartPlan) => {
      begun = plan
    },
  }
  const service = { find: () => parent }
  new Starter({
    tasks,
    service,
    attachments: { claim: () => () => {} },
    conversations: { get: () => undefined },
  } as never).start(request)
  expect(begun?.request).toMatchObject({ parent_conversation_id: parent.id, sandbox_id: null })
})

it('two conversations without a sandbox do not share one', () => {
  const plan = (sandbox_id: string) => ({ request: { ...request, sandbox_id } }) as StartPlan
  expect(parentInSandbox(plan(''), { get: () => parent })).toBeUndefined()
  const shared = aConversation({ sandbox_id: 'sandbox-1' })
  expect(parentInSandbox(plan('sandbox-1'), { get: () => shared })).toBe(shared)
})
