import { expect } from 'vitest'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { tool } from '../parts/client/gateway-conversation.ts'
import { runScript } from '../parts/engine/containers.ts'

const test = base
  .extend('conversation', { scope: 'file' }, ({ desktop, model }) => {
    model.setScript([tool('terminal', { command: 'sleep 1000' })])
    return startConversation(desktop.service, { title: 'Motion', initial_message: said('Wait') })
  })
  .extend(
    'moving',
    { scope: 'file' },
    ({ desktop }) =>
      () =>
        desktop.page.evaluate(running),
  )

test.beforeAll(async ({ desktop, conversation }) => {
  await desktop.page.evaluate(
    address => location.assign(address),
    `#/conversations/${conversation.app_conversation_id}`,
  )
  await desktop.page.getByText('sleep 1000').first().waitFor()
})

test('what goes on turns, and stands still for those who want less motion', async ({ desktop, moving }) => {
  const { page } = desktop
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(moving).toContain('turn')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving).toEqual([])
})

test('the cursor of the editor blinks, and only stands there for those who want less motion', async ({
  desktop,
  moving,
  conversation,
}) => {
  const { page } = desktop
  await runScript(conversation.sandbox_id ?? '', { cwd: '/workspace/project', script: 'echo text >note.txt' })
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('treeitem').filter({ hasText: 'note.txt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').click()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(moving).toContain('cm-blink')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
})

/** In the page: what moves by itself. What follows the scroll moves with the person. */
function running(): string[] {
  return document
    .getAnimations()
    .filter(({ playState, timeline }) => playState === 'running' && timeline instanceof DocumentTimeline)
    .map(animation => (animation instanceof CSSAnimation ? animation.animationName : animation.id || 'another'))
}
