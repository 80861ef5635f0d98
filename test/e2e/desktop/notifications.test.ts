import { expect } from 'vitest'
import { listAppConversations, sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { startNotices } from '../../parts/desktop/notices.ts'
import { desktopEnv } from '../../parts/window/desktop-app.ts'

const test = base.extend('notices', { scope: 'file' }, async ({ keyring, desktop }, { onCleanup }) => {
  const notices = await startNotices(desktopEnv(keyring.env, desktop.dataDir))
  onCleanup(() => notices.close())
  return notices
})

const call = (name: string, parameters: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: parameters }] })
const terminal = (command: string) => call('terminal', { command })

test('a command that waits is accepted and rejected from the notification, which a click opens', async ({
  desktop,
  model,
  notices,
}) => {
  const { page, app, service } = desktop
  // Nothing is notified of while one of the windows is in front.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() === null)).toBe(true)
  const turns = [
    terminal('echo "<one> & more"'),
    terminal('echo two'),
    call('finish', { message: 'Both are decided.' }),
  ]
  model.setScript(turns)
  const { app_conversation_id: id } = await startConversation(service, {
    title: 'Tidy up',
    initial_message: said('Tidy the folder up.'),
    confirmation_policy: { kind: 'AlwaysConfirm' },
  })
  await expect.poll(() => notices.newest()).toContain('echo "<one> & more"')
  expect(notices.newest()).toContain('Tidy up')
  await notices.press('Accept')
  await expect.poll(() => notices.newest()).toContain('echo two')
  await notices.press('Reject')
  const status = async () => {
    const found = await service.client.call(listAppConversations, { query: { ids: [id ?? ''] } })
    return Array.isArray(found) ? found[0]?.execution_status : undefined
  }
  await expect.poll(status).not.toBe('waiting_for_confirmation')
  const body = { ...said('Go on.'), run: true }
  await service.client.call(sendMessage, { params: { conversation_id: id ?? '' }, body })
  await expect.poll(() => notices.newest()).toContain('Tidy up: done')
  const asked = JSON.stringify(model.requests.at(-1)?.body)
  expect(asked).toContain('<one> & more\\n')
  expect(asked).toContain('rejected')

  expect(page.url()).not.toContain(String(id))
  await notices.click()
  await page.getByText('Both are decided.').waitFor()
  expect(page.url()).toContain(String(id))
})

test('a desktop that shows none is no problem, and one that begins to show them is found', async ({
  desktop,
  notices,
  keyring,
  model,
}) => {
  await notices.close()
  const { app, service } = desktop
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() === null)).toBe(true)
  model.setScript(() => call('finish', { message: 'Done.' }))
  const first = await startConversation(service, { title: 'Unseen', initial_message: said('Go.') })
  await expect
    .poll(() =>
      desktop.page
        .getByRole('navigation', { name: 'Conversations' })
        .getByRole('link', { name: /^done Unseen/ })
        .count(),
    )
    .toBe(1)
  expect(first.status).toBe('READY')
  const again = await startNotices(desktopEnv(keyring.env, desktop.dataDir))
  try {
    await startConversation(service, { title: 'Seen', initial_message: said('Go.') })
    await expect.poll(() => again.newest()).toContain('Seen')
  } finally {
    await again.close()
  }
})
