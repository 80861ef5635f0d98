import { expect } from 'vitest'
import { forkConversation } from '../../server/api/v1/conversation/actions.ts'
import { searchAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { hasFocus } from '../parts/window/focus.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('card', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('region', { name: 'Waiting for you' })
  })
  .extend('message', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('textbox', { name: 'Message' })
  })
  /** A key that comes right after the card was meant for something else, so the card does not hear it. */
  .extend('pressOnCard', { scope: 'file' }, ({ desktop, card }) => async (key: string): Promise<void> => {
    await desktop.page.keyboard.press('F7')
    await hasFocus(card())
    await desktop.page.evaluate(() => new Promise(resolve => setTimeout(resolve, 800)))
    await desktop.page.keyboard.press(key)
  })

test.beforeAll(async ({ desktop, model }) => {
  const { page, service } = desktop
  model.setScript([calls(terminal('echo first > note.txt'))])
  const { app_conversation_id: id } = await startConversation(service, {
    title: 'Tidy up',
    initial_message: said('Tidy the folder up.'),
    confirmation_policy: { kind: 'AlwaysConfirm' },
    security_analyzer: 'local',
  })
  await page.evaluate(address => location.assign(address), `#/conversations/${id}`)
})

const terminal = (command: string) => ({ name: 'terminal', arguments: { command } })
const calls = (...toolCalls: { name: string; arguments: Record<string, unknown> }[]) => ({ toolCalls })
const finish = (message: string) => calls({ name: 'finish', arguments: { message } })

test('what the agent wants stands on a card with the command to the letter, and in the list and the title', async ({
  desktop,
  card,
}) => {
  const { page } = desktop
  await card().getByRole('heading', { name: 'The agent wants to run a command in the sandbox' }).waitFor()
  await card().getByText('echo first > note.txt').waitFor()
  await page.getByRole('link', { name: 'Tidy up' }).getByRole('img', { name: 'waiting for you' }).waitFor()
  await expect.poll(() => page.title()).toBe('(1) Tidy up · Atelier')
  await hasFocus(card())
  await look(desktop, 'confirmation')
})

test('Enter accepts, and only then the command runs', async ({ model, pressOnCard, desktop }) => {
  model.setScript([calls(terminal('cat note.txt'), terminal('rm -rf --no-preserve-root /'))])
  await pressOnCard('Enter')
  await desktop.page.getByText(/exit 0 · /).waitFor()
})

test('calls of one step are decided together, each with its risk and why', async ({ card, desktop }) => {
  await card().getByRole('heading', { name: 'The agent wants to do 2 things' }).waitFor()
  await card().getByText('high risk', { exact: true }).waitFor()
  await card().getByText('1 high risk').waitFor()
  await expect(
    card().getByRole('list', { name: 'Why it is rated so' }).last().getByRole('listitem').count(),
  ).resolves.toBeGreaterThan(0)
  await look(desktop, 'confirmation-batch')
})

test('R asks why, and the agent goes on with the reason, which stands in the timeline', async ({
  desktop,
  model,
  pressOnCard,
  card,
}) => {
  const { page } = desktop
  const asked = model.requests.length
  model.setScript([calls(terminal('ls'))])
  await pressOnCard('r')
  await card().getByRole('textbox', { name: 'Why not' }).fill('Never touch the root.')
  await look(desktop, 'confirmation-reject')
  await page.keyboard.press('Enter')
  // The card of the next call may take its place at once.
  await card().getByRole('textbox', { name: 'Why not' }).waitFor({ state: 'detached' })
  await page.getByText('rejected by you').first().waitFor()
  await page.getByText('You said: Never touch the root.').first().waitFor()
  await card().getByText('$ ls').waitFor()
  expect(JSON.stringify((await model.request(asked)).body)).toContain('Never touch the root.')
})

test('A lets the same pass from then on', async ({ desktop, model, pressOnCard, card }) => {
  const { page } = desktop
  model.setScript([calls(terminal('ls')), calls(terminal('echo second'))])
  await pressOnCard('a')
  await card().getByText('echo second').waitFor()
  await page
    .getByText(/exit 0 · /)
    .nth(2)
    .waitFor()
})

test('words in the place of an answer reach the agent, and what waited is not done', async ({
  desktop,
  model,
  message,
}) => {
  const { page } = desktop
  model.setScript([finish('It is tidy.')])
  await message().fill('Leave it and finish.')
  await message().press('Enter')
  await page.getByText('It is tidy.').waitFor()
  await page.getByText('rejected by you').nth(2).waitFor()
  await expect.poll(() => page.title()).toBe('Tidy up · Atelier')
})

test('going back sets later steps aside, and one press takes them up again', async ({ desktop }) => {
  const { page } = desktop
  const first = page.getByRole('article', { name: 'You' }).first()
  await page.getByRole('button', { name: 'My last message' }).waitFor()
  await page.getByRole('region', { name: 'Conversation' }).press('Home')
  await first.hover()
  await first.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /Go back to here/ }).click()
  await page.getByRole('radio', { name: /Conversation only/ }).click()
  await page.getByRole('button', { name: 'Go to this point' }).click()
  await page.getByText('Set aside when you went back').waitFor()
  await page.getByText('It is tidy.').waitFor({ state: 'detached' })
  await look(desktop, 'conversation-went-back')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('You took these steps up again.').waitFor()
  await page.getByText('It is tidy.').waitFor()
})

test('a side question is answered and leaves no trace', async ({ desktop, model }) => {
  const { page } = desktop
  model.setScript([{ text: 'Nothing is **left** to do.' }])
  await page.getByRole('button', { name: 'Ask a side question' }).click()
  await page.getByRole('textbox', { name: 'Question' }).fill('What is left?')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing is left to do.').waitFor()
  await look(desktop, 'conversation-side-question')
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByText('It is tidy.').waitFor()
  await expect(page.getByText('Nothing is left to do.').count()).resolves.toBe(0)
})

test('a fork from a message is a conversation of its own, with a way to where it came from', async ({ desktop }) => {
  const { page } = desktop
  const last = page.getByRole('article', { name: 'Agent' }).last()
  await last.hover()
  await last.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /Fork from here/ }).click()
  await page.getByRole('heading', { name: /fork/ }).waitFor()
  if (!(await page.getByRole('tab', { name: 'Details' }).isVisible()))
    await page.getByRole('button', { name: 'Show changes and details' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page
    .getByRole('region', { name: 'Related' })
    .getByRole('link', { name: /Tidy up/ })
    .waitFor()
  await look(desktop, 'conversation-fork-details')
})

test('the palette selects the best match, also of conversations that are found later', async ({ desktop }) => {
  const { page, service } = desktop
  const [original] = (await service.client.call(searchAppConversations, { query: { limit: 1 } })).items
  for (let number = 1; number <= 115; number++) {
    const params = { conversation_id: original?.id ?? '' }
    await service.client.call(forkConversation, { params, body: { title: `Parser ${number}` } })
  }
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(/title__contains=Parser/, async route => {
    await answered
    await route.continue()
  })
  // The list that is read anew has the last hundred, without the first of them.
  await page.reload()
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Parser 115' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('Parser 1')
  const selected = page.getByRole('option', { selected: true })
  const twelfth = page.getByRole('option').getByText('Parser 12', { exact: true })
  await selected.waitFor()
  await expect(twelfth.count()).resolves.toBe(0)
  await page.getByRole('combobox', { name: 'Go to' }).fill('Parser 12')
  await expect.poll(() => selected.textContent()).toContain('Parser 112')
  answer()
  await twelfth.waitFor()
  await expect.poll(() => selected.textContent()).toContain('Parser 12')
  await expect.poll(() => page.getByRole('listbox').evaluate(list => list.scrollTop)).toBe(0)
  await look(desktop, 'palette-found')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Parser 12' }).waitFor()
})

test('Tab stops at one conversation of the list, and the arrow keys reach the others', async ({ desktop }) => {
  const { page } = desktop
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.getByRole('textbox', { name: 'Filter conversations' }).focus()
  const seen: string[] = []
  for (let press = 0; press < 6; press++) {
    await page.keyboard.press('Tab')
    seen.push(await focused())
  }
  expect(seen.filter(text => text.startsWith('Parser'))).toHaveLength(1)
  expect(seen).toContain('Settings')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Parser 115' }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toContain('Parser 114')
})

test('a command can be marked in its row, which stays folded', async ({ desktop }) => {
  const { page } = desktop
  const row = page.getByRole('button', { name: /^echo first/ })
  const box = await row.locator('code').boundingBox()
  if (!box) throw new Error('The command is in sight.')
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString() ?? '')).toContain('echo first > note')
  await expect(row.getAttribute('aria-expanded')).resolves.toBe('false')
  await row.click({ position: { x: 4, y: 4 } })
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true')
})
