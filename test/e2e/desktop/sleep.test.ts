import { expect } from 'vitest'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { startLogind } from '../../parts/desktop/logind.ts'

const test = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await startModelServer({ script: [{ fault: 'hang' }, { text: 'Here I am again.' }] })
    onCleanup(() => model.close())
    return model
  })
  .extend('logind', { scope: 'file' }, async ({ keyring }, { onCleanup }) => {
    const logind = await startLogind(keyring.env)
    onCleanup(() => logind.close())
    return logind
  })
  .extend('desktopOptions', { scope: 'file' }, ({ logind }) => ({ env: logind.env }))

test('an agent whose computer falls asleep asks its model again when it is awake', async ({
  desktop,
  model,
  logind,
}) => {
  const { page, service } = desktop
  const { app_conversation_id: id = '' } = await startConversation(service, { initial_message: said('Think long.') })
  await page.evaluate(address => location.assign(address), `#/conversations/${id}`)
  const seen = await watch(service, id ?? '')
  await model.request(0)
  // Chromium ends its connections then, the one that this test drives the window over among them.
  const parted = page.waitForEvent('close')
  logind.tell('sleep')
  const isRetry = (frame: { kind: string; key?: unknown }) => frame.key === 'llm_retry'
  const retry = await seen.until(frame => isRetry(frame), 'The end of the call to the model')
  expect(retry).toMatchObject({ value: { delay_ms: 0, reason: 'The computer was asleep.' } })
  await parted
  expect(model.requests.length).toBe(1)
  logind.tell('wake')
  await seen.untilStatus('finished')
  expect(model.requests.length).toBe(2)
  expect(seen.of('MessageEvent').at(-1)).toMatchObject({ llm_message: { content: [{ text: 'Here I am again.' }] } })
  await seen.close()
  await desktop.kill()
})
