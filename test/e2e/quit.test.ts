import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { type SecretService, startSecretService } from '../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../parts/window/desktop-app.ts'
import { keepFailure } from '../parts/window/look.ts'

let keyring: SecretService
let model: ModelServer
let desktop: DesktopApp

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer({ script: [{ fault: 'hang' }] })
  desktop = await startDesktopApp({ env: keyring.env })
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  await desktop.service.client.call(storeSettings, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' },
  })
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model].map(part => part?.close()))
})

test('quitting while an agent works asks first, and the agent goes on when the answer is no', async () => {
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
