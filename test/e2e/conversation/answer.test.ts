import { expect } from 'vitest'
import type { Turn } from '../../fakes/model-server/turn.ts'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'

/** An answer whose second half comes once something in its first half is selected. */
function answer(beginning: string, end: string) {
  const middle = Array.from({ length: 20 }, (_, index) => `Sentence number ${index + 1} of the answer.`).join(' ')
  let goOn = () => {}
  const halfway = new Promise<void>(resolve => {
    goOn = resolve
  })
  return { goOn, turn: { text: `${beginning}\n\n${middle}\n\n${end}`, halfway } satisfies Turn }
}

const test = base
  /** Shows a conversation, and says something in it. */
  .extend('show', { scope: 'file' }, ({ desktop: { page, service }, model }) => async (...turns: Turn[]) => {
    model.setScript(turns)
    const { app_conversation_id: id } = await startConversation(service, { title: 'An answer' })
    await page.evaluate(address => location.assign(address), `#/conversations/${id}`)
    await page.getByText('Nothing has happened yet').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me all of it.')
    await page.keyboard.press('Enter')
  })
  /** Selects a paragraph of the answer that comes. @returns what is selected when all of it has come, up to `end` */
  .extend('selectedUntil', { scope: 'file' }, ({ desktop: { page } }) => {
    return async (text: string, { goOn, end }: { goOn: () => void; end: string }) => {
      const paragraph = page.locator('article[aria-busy] p', { hasText: text })
      await paragraph.evaluate(element => getSelection()?.selectAllChildren(element))
      goOn()
      await page.getByText(end).waitFor()
      await page.locator('article[aria-busy]').waitFor({ state: 'detached' })
      return page.evaluate(() => getSelection()?.toString().trim())
    }
  })

test('what is selected of an answer that comes is still selected when all of it has come', async ({
  desktop: { page },
  show,
  selectedUntil,
  onTestFinished,
}) => {
  const { turn, goOn } = answer('Take this line.', 'That was all.')
  onTestFinished(goOn)
  await show(turn)
  expect(await selectedUntil('Take this line.', { goOn, end: 'That was all.' })).toBe('Take this line.')
  await page.getByRole('article', { name: 'Agent' }).getByText('Take this line.').hover()
  await page.getByRole('button', { name: 'Copy message' }).waitFor()
})

test('so is what was said before a call of a tool, and before the next answer', async ({
  desktop: { page },
  show,
  selectedUntil,
  onTestFinished,
}) => {
  const { turn, goOn } = answer('Look at this first.', 'Now I look.')
  onTestFinished(goOn)
  await show({ ...tool('terminal', { command: 'echo looked' }), ...turn }, { text: 'It is there. Nothing else is.' })
  const selected = await selectedUntil('Look at this first.', { goOn, end: 'It is there. Nothing else is.' })
  expect(selected).toBe('Look at this first.')
  expect(await page.getByRole('article', { name: 'Agent' }).count()).toBe(2)
})

test('who comes in the middle of an answer reads all of it', async ({ desktop: { page }, show, onTestFinished }) => {
  const { turn, goOn } = answer('Read from here.', 'To the end.')
  onTestFinished(goOn)
  await show(turn)
  const busy = page.locator('article[aria-busy]')
  await busy.getByText('Read from here.').waitFor()
  await page.reload()
  await busy.getByText('Read from here.').waitFor()
  goOn()
  await page.getByText('To the end.').waitFor()
  await busy.waitFor({ state: 'detached' })
  expect(await page.getByText('Read from here.').count()).toBe(1)
})
