import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('started', { scope: 'file' }, async ({ model, desktop }) => {
    model.setScript([
      tool('terminal', { command: 'echo from the sandbox; echo one >one.txt' }),
      { text: 'Done, see [the docs](https://example.com/docs).' },
    ])
    return startConversation(desktop.service, { title: 'Menus', initial_message: said('Make a file') })
  })
  /** Menus of the desktop are nothing that a page shows: the last one is kept in place of being opened. */
  .extend('native', { scope: 'file' }, async ({ desktop }) => {
    await desktop.app.evaluate(({ Menu }) => {
      const kept = globalThis as unknown as { shownMenu: Electron.Menu | null }
      kept.shownMenu = null
      Menu.prototype.popup = function () {
        kept.shownMenu = this
      }
    })
    return {
      labels: () =>
        desktop.app.evaluate(() => {
          const { shownMenu } = globalThis as unknown as { shownMenu: Electron.Menu | null }
          return shownMenu?.items.filter(({ enabled, label }) => enabled && label).map(({ label }) => label) ?? null
        }),
      choose: (label: string) =>
        desktop.app.evaluate(({ BrowserWindow }, wanted) => {
          const kept = globalThis as unknown as { shownMenu: Electron.Menu | null }
          const [window] = BrowserWindow.getAllWindows()
          const item = kept.shownMenu?.items.find(each => each.label === wanted)
          if (!item) throw new Error(`The menu has no ${wanted}.`)
          // As the desktop calls it.
          item.click({}, window, window?.webContents)
          kept.shownMenu = null
        }, label),
    }
  })
  .extend('copied', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(({ clipboard }) => clipboard.readText())
  })

test.beforeAll(async ({ desktop, started }) => {
  await desktop.page.evaluate(id => location.assign(`#/conversations/${id}`), started.app_conversation_id ?? '')
  await desktop.page.getByText('Done, see').waitFor()
})

test('a text field has cut, copy, paste and select all', async ({ desktop, native, copied }) => {
  const field = desktop.page.getByRole('textbox', { name: 'Message' })
  await field.fill('some words')
  await field.click({ button: 'right' })
  await expect.poll(native.labels).toEqual(expect.arrayContaining(['Select All']))
  await native.choose('Select All')
  await field.click({ button: 'right' })
  await expect.poll(native.labels).toEqual(expect.arrayContaining(['Cut', 'Copy']))
  await native.choose('Cut')
  await expect.poll(copied).toBe('some words')
  await expect.poll(() => field.inputValue()).toBe('')
  await desktop.page.keyboard.press('Shift+F10')
  await expect.poll(native.labels).toEqual(expect.arrayContaining(['Paste']))
  await native.choose('Paste')
  await expect.poll(() => field.inputValue()).toBe('some words')
  await field.fill('')
})

test('a link has its address to be copied, wherever it stands', async ({ desktop, native, copied }) => {
  await desktop.page.getByRole('link', { name: 'the docs' }).click({ button: 'right' })
  await expect.poll(native.labels).toEqual(['Copy Link Address'])
  await native.choose('Copy Link Address')
  await expect.poll(copied).toBe('https://example.com/docs')
})

test('a message is copied from its menu, or what is selected of it, and leads on', async ({ desktop, copied }) => {
  const { page } = desktop
  const message = page.getByText('Make a file').last()
  await message.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fork' }).first().waitFor()
  await look(desktop, 'menu-message')
  await page.getByRole('menuitem', { name: 'Copy message' }).click()
  await expect.poll(copied).toBe('Make a file')
  await message.evaluate(element => {
    const range = document.createRange()
    range.setStart(element.firstChild ?? element, 0)
    range.setEnd(element.firstChild ?? element, 4)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  })
  await message.click({ button: 'right', position: { x: 4, y: 4 } })
  await page.getByRole('menuitem', { name: 'Copy selection' }).click()
  await expect.poll(copied).toBe('Make')
})

test('the command of a step and its output are copied from its menu, by mouse and by key', async ({
  desktop,
  copied,
}) => {
  const { page } = desktop
  const step = page.getByRole('button', { name: /echo from the sandbox/ })
  await step.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy the command' }).click()
  await expect.poll(copied).toBe('echo from the sandbox; echo one >one.txt')
  await step.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy the output' }).click()
  await expect.poll(copied).toContain('from the sandbox')
})

test('a changed file has its path and its name to be copied', async ({ desktop, copied }) => {
  const { page } = desktop
  await page.getByRole('tab', { name: /^Changes/ }).click()
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /one\.txt/ })
    .first()
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy file name' }).click()
  await expect.poll(copied).toBe('one.txt')
})

test('a terminal is pasted into and copied from, and cleared', async ({ desktop, native, copied }) => {
  const { page } = desktop
  await page.getByRole('tab', { name: 'Terminal' }).click()
  await page
    .getByRole('button', { name: /New terminal|Open a terminal/ })
    .first()
    .click()
  const screen = page.locator('.xterm-screen')
  await screen.click()
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('echo pa""sted'))
  await screen.click({ button: 'right' })
  await expect.poll(native.labels).toEqual(expect.arrayContaining(['Paste']))
  await native.choose('Paste')
  await page.keyboard.press('Enter')
  await page.locator('.xterm-rows').getByText('pasted', { exact: true }).waitFor()
  const { x = 0, y = 0 } = (await page.locator('.xterm-rows').getByText('pasted', { exact: true }).boundingBox()) ?? {}
  await page.mouse.dblclick(x + 8, y + 4)
  await screen.click({ button: 'right' })
  await expect.poll(native.labels).toEqual(expect.arrayContaining(['Copy']))
  await native.choose('Copy')
  await expect.poll(copied).toBe('pasted')
})
