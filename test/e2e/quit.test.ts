import { expect } from 'vitest'
import { listAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'

const test = base.extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
  const model = await startModelServer({ script: [{ fault: 'hang' }] })
  onCleanup(() => model.close())
  return model
})

test('quitting while an agent works asks first, and the agent goes on when the answer is no', async ({
  desktop,
  model,
}) => {
  const { app, page, service } = desktop
  const { app_conversation_id: id } = await startConversation(service, { initial_message: said('Think long.') })
  await model.request(0)
  // The dialog is the desktop's own, out of the test's reach: what it says is kept, and "Keep working" is its answer.
  const asked = await app.evaluate(
    ({ app: electron, dialog }) =>
      new Promise<string>(resolve => {
        dialog.showMessageBox = async (...parts: unknown[]) => {
          resolve(JSON.stringify(parts.at(-1)))
          return { response: 1, checkboxChecked: false }
        }
        electron.quit()
      }),
  )
  expect(asked).toContain('An agent is working.')
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  const now = await service.client.call(listAppConversations, { query: { ids: [id ?? ''] } })
  expect(now).toMatchObject([{ execution_status: 'running' }])
})
