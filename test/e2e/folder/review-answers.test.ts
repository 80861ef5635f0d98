import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = new TestFolder().write({ 'shop.py': LINES }).commit()
    onCleanup(() => folder.remove())
    return folder
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('dialog', { name: 'Review' })
  })
  .extend('file', { scope: 'file' }, ({ dialog }) => (name: string) => {
    return dialog().getByRole('navigation').getByRole('button', { name })
  })
  .extend('sent', { scope: 'file' }, ({ dialog }) => (number: number) => {
    return dialog().getByRole('region', { name: `Comment ${number}`, exact: true })
  })
  .extend('openReview', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('button', { name: 'Review…' }).click()
  })
  .extend('comment', { scope: 'file' }, ({ dialog }) => async (line: number, text: string): Promise<void> => {
    const name = `Comment on line ${line}`
    await dialog().getByRole('button', { name, exact: true }).last().click()
    await dialog().getByRole('textbox', { name, exact: true }).fill(text)
    await dialog().getByRole('button', { name: 'Add comment' }).click()
  })

const LINES = Array.from({ length: 30 }, (_, index) => `LINE_${index} = ${index}\n`).join('')
const CHANGE = "sed -i 's/LINE_3 = 3/LINE_3 = 300/; s/LINE_25 = 25/LINE_25 = 2500/' shop.py && echo 'NEW = 1' > new.py"
const REWORK = "sed -i 's/LINE_3 = 300/LINE_3 = 30/; 1i # Prices in cents.' shop.py && rm new.py"

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })
const finish = (message: string) => ({ toolCalls: [call('finish', { message })] })
const answer = (comment: number, outcome: string, text: string) =>
  call('answer_review_comment', { comment, outcome, text })

test.beforeAll(async ({ model, desktop, folder }) => {
  model.setScript([
    { toolCalls: [call('terminal', { command: CHANGE })] },
    finish('The prices are higher.'),
    { toolCalls: [call('terminal', { command: REWORK })] },
    {
      toolCalls: [
        answer(2, 'done', 'It is `30` now, in **cents**:\n\n```py\nLINE_3 = 30\n```'),
        answer(3, 'question', 'Shall I take the price of *last year*, or leave it?'),
      ],
    },
    finish('Two comments are answered.'),
  ])
  const { app_conversation_id } = await startConversation(desktop.service, {
    source: { kind: 'folder', path: folder.path },
    initial_message: { content: [{ type: 'text', text: 'Raise the prices' }] },
  })
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
  await desktop.page.getByText('The prices are higher.').waitFor()
})

test('the answers to comments stand at their lines, wherever these are now', async ({
  openReview,
  file,
  comment,
  dialog,
  desktop,
  sent,
}) => {
  await openReview()
  await file('new.py').click()
  await comment(1, 'Is this needed?')
  await file('shop.py').click()
  await comment(4, 'Too much. These are cents.')
  await comment(26, 'Why this one?')
  await dialog().getByRole('button', { name: 'Send 3 comments' }).click()
  await desktop.page.getByText('Two comments are answered.').waitFor()
  await desktop.page.getByText('Review with 3 comments').waitFor()
  await openReview()
  await file('shop.py').click()
  await sent(2).getByText('It is 30 now').waitFor()
  const rowAbove = (number: number) => sent(number).locator('xpath=ancestor::tr/preceding-sibling::tr[1]').textContent()
  await expect.poll(() => rowAbove(2)).toMatch(/LINE_3 = 30(?!0)/)
  expect(await rowAbove(3)).toContain('LINE_25 = 2500')
  expect(await sent(2).textContent()).toMatch(/The line has changed.*Done/)
  expect(await sent(3).textContent()).toMatch(/It was line 26.*Asks you/)
  await file('shop.py').getByRole('img', { name: '2 of 2 comments answered' }).waitFor()
  await look(desktop, 'review-answers')
  await desktop.page.keyboard.press('s')
  await sent(2).waitFor()
  await look(desktop, 'review-answers-split')
  await desktop.page.keyboard.press('s')
})

test('a comment on a file without changes is not lost', async ({ dialog, desktop, sent }) => {
  await dialog().getByText('Other files with comments').waitFor()
  await desktop.page.keyboard.press('j')
  await sent(1).getByText('The agent has not answered.').waitFor()
  await look(desktop, 'review-answers-elsewhere')
  await desktop.page.keyboard.press('k')
})

test('a reply goes with the next review, and all is there again after a reload', async ({
  sent,
  dialog,
  desktop,
  model,
  openReview,
}) => {
  await sent(3).getByRole('button', { name: 'Reply' }).click()
  await dialog().getByRole('textbox', { name: 'Comment on line 27' }).fill('Leave it.')
  await desktop.page.keyboard.press('Control+Enter')
  await look(desktop, 'review-reply')
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  model.setScript(async (_request, index) => {
    await released
    const turns = [{ toolCalls: [answer(4, 'done', 'Left as it is.')] }, finish('The last comment is answered.')]
    return turns[index] ?? finish('Nothing is left.')
  })
  await dialog().getByRole('button', { name: 'Send 1 comment' }).click()
  await dialog().waitFor({ state: 'detached' })
  await openReview()
  await sent(4).getByText('Waiting for the agent').waitFor()
  release()
  await sent(4).getByText('Left as it is.').waitFor()
  await desktop.page.keyboard.press('Escape')
  await desktop.page.getByText('The last comment is answered.').waitFor()
  await desktop.page.evaluate(() => localStorage.clear())
  await desktop.page.reload()
  await desktop.page.getByText('The last comment is answered.').waitFor()
  await openReview()
  await sent(4).getByText('Left as it is.').waitFor()
  await sent(2).waitFor()
  await desktop.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('the timeline names the line that was answered', async ({ desktop }) => {
  const line = desktop.page.getByRole('button', { name: /Answer a comment on shop\.py, line 4/ })
  await line.scrollIntoViewIfNeeded()
  await line.click()
  await desktop.page.getByText('It is 30 now').waitFor()
  await look(desktop, 'review-answer-in-timeline')
})
