import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('started', { scope: 'file' }, ({ desktop, model }) => {
    model.setScript([terminal(FIRST), finish('The shop is there.'), terminal(SECOND), finish('The price is 2.')])
    return startConversation(desktop.service, {
      initial_message: { content: [{ type: 'text', text: 'Write a shop' }] },
    })
  })
  .extend('files', { scope: 'file' }, ({ started }) => async () => {
    const script = 'ls; head -1 shop.py 2>/dev/null || true'
    return (await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })).printed
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('dialog', { name: 'Go to this point' })
  })
  .extend('went', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByText('You went back to here.')
  })
  .extend('openMenuOf', { scope: 'file' }, ({ desktop }) => async (text: string): Promise<void> => {
    const message = desktop.page.getByRole('article').filter({ hasText: text })
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
  })
  .extend('goBackTo', { scope: 'file' }, ({ desktop, openMenuOf }) => async (text: string): Promise<void> => {
    await openMenuOf(text)
    await desktop.page.getByRole('menuitem', { name: /Go back to here/ }).click()
  })

const terminal = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })
const finish = (message: string) => ({ toolCalls: [{ name: 'finish', arguments: { message } }] })
const FIRST = 'printf "PRICE = 1\\nTAX = 19\\n" >shop.py; echo "# Shop" >README.md'
const SECOND = 'printf "PRICE = 2\\nTAX = 19\\n" >shop.py; echo "x = 1" >extra.py; rm README.md'

const NEWEST = 'extra.py\nshop.py\nPRICE = 2'
const FIRST_ANSWER = 'README.md\nshop.py\nPRICE = 1'

test.beforeAll(async ({ desktop, started }) => {
  const { page } = desktop
  await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await page.getByText('The shop is there.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Raise the price')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await page.getByText('The price is 2.').waitFor()
})

test('what becomes of the files is shown before anything goes back', async ({ goBackTo, dialog, desktop, files }) => {
  await goBackTo('The shop is there.')
  await dialog().getByText('3 files change').waitFor()
  const row = (name: string) => dialog().getByRole('button', { name })
  expect(await row('extra.py').textContent()).toContain('removed')
  expect(await row('README.md').textContent()).toContain('comes back')
  await row('shop.py').click()
  const table = dialog().getByRole('table', { name: 'Changes in shop.py' })
  await table.getByRole('row', { name: 'PRICE = 1' }).waitFor()
  await look(desktop, 'go-back')
  await desktop.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await files()).toBe(NEWEST)
})

test('what is found late waits for the dialog that is open, and what is chosen twice is asked once', async ({
  goBackTo,
  dialog,
  desktop,
}) => {
  const { page } = desktop
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/checkpoints?*', async route => {
    await held
    await route.continue()
  })
  await goBackTo('The shop is there.')
  await goBackTo('The shop is there.')
  await page.keyboard.press('Control+Shift+d')
  const review = page.getByRole('dialog', { name: 'Review', exact: true })
  await review.waitFor()
  const answered = page.waitForResponse(response => /review\/files\?.*checkpoint/.test(response.url()))
  release()
  await answered
  await review.waitFor()
  expect(await dialog().count()).toBe(0)
  await page.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  await dialog().getByText('3 files change').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.unroute('**/checkpoints?*')
})

test('the conversation and the files go back, and one press takes both forward again', async ({
  goBackTo,
  dialog,
  went,
  desktop,
  files,
}) => {
  await goBackTo('The shop is there.')
  await dialog().getByText('3 files change').waitFor()
  await dialog().getByRole('button', { name: 'Go to this point' }).click()
  await went().waitFor()
  const notice = desktop.page.getByRole('region', { name: 'Notices' }).getByRole('group')
  // Its clock stands still meanwhile.
  await notice.filter({ hasText: '3 files restored' }).hover()
  expect(await files()).toBe(FIRST_ANSWER)
  await look(desktop, 'went-back-with-files')
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(files).toBe(NEWEST)
  await desktop.page.getByText('You took these steps up again.').waitFor()
})

test('only the files go back, from the keyboard, and the line of the way back brings them too', async ({
  desktop,
  goBackTo,
  dialog,
  files,
  went,
}) => {
  const { page } = desktop
  await goBackTo('The shop is there.')
  await dialog()
    .getByRole('radio', { name: /Conversation and files/ })
    .focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await dialog().getByRole('button', { name: 'Restore 3 files' }).press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(files).toBe(FIRST_ANSWER)
  await page.getByText('The price is 2.').waitFor()
  // The files are those of that message already, so that nothing is asked.
  await goBackTo('The shop is there.')
  await went().waitFor()
  await page.getByRole('region', { name: 'Conversation' }).getByRole('button', { name: 'Undo' }).click()
  await dialog().waitFor()
  await dialog().getByText('3 files change').waitFor()
  await dialog().getByRole('button', { name: 'Go to this point' }).click()
  // While it is open, the keys of the page do nothing.
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(files).toBe(NEWEST)
})

test('the files go back to before and to after a step, from what its line unfolds to', async ({
  desktop,
  dialog,
  files,
}) => {
  const { page } = desktop
  const step = page.getByRole('button', { name: /printf "PRICE = 2/ })
  await step.click()
  const back = page.getByRole('button', { name: 'Go back…' })
  await back.press('Enter')
  await look(desktop, 'go-back-step')
  await page.getByRole('menuitem', { name: /To before this step/ }).click()
  await dialog().getByText('3 files change').waitFor()
  await dialog()
    .getByRole('radio', { name: /Files only/ })
    .click()
  await dialog().getByRole('button', { name: 'Restore 3 files' }).click()
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(files).toBe(FIRST_ANSWER)
  await back.click()
  await page.getByRole('menuitem', { name: /To after this step/ }).click()
  await dialog().getByText('3 files change').waitFor()
  await dialog()
    .getByRole('radio', { name: /Files only/ })
    .click()
  await dialog().getByRole('button', { name: 'Restore 3 files' }).click()
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(files).toBe(NEWEST)
})

test('a message is edited and sent again, from before it and with the files of then', async ({
  desktop,
  openMenuOf,
  dialog,
  files,
  model,
}) => {
  const { page } = desktop
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('Half a thought')
  await openMenuOf('Raise the price')
  await page.getByRole('menuitem', { name: /Edit and send again/ }).click()
  await dialog().getByText('3 files change').waitFor()
  await dialog().getByRole('button', { name: 'Go to this point' }).click()
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(files).toBe(FIRST_ANSWER)
  expect(await composer.inputValue()).toBe('Raise the price')
  await page.getByRole('button', { name: 'Take it back' }).click()
  expect(await composer.inputValue()).toBe('Half a thought')
  model.setScript([terminal("sed -i 's/PRICE = 1/PRICE = 3/' shop.py"), finish('The price is 3.')])
  await composer.fill('Raise the price to 3')
  await composer.press('Enter')
  await page.getByText('The price is 3.').waitFor()
  expect(await files()).toBe('README.md\nshop.py\nPRICE = 3')
})

test('every checkpoint can be compared with and restored', async ({ desktop, files }) => {
  const { page } = desktop
  await page.keyboard.press('ControlOrMeta+Shift+d')
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByRole('combobox', { name: 'Compared with' }).click()
  await page.getByRole('option', { name: 'Since a checkpoint' }).click()
  await review.getByRole('combobox', { name: 'Checkpoint' }).click()
  await look(desktop, 'review-checkpoints')
  await page
    .getByRole('option', { name: /before the agent answered/ })
    .last()
    .click()
  await review.getByRole('navigation').getByRole('button', { name: 'shop.py' }).waitFor()
  await review.getByRole('button', { name: 'Restore files' }).click()
  await page.getByRole('button', { name: 'Restore 2 files' }).click()
  await expect.poll(files).toBe('')
})
