import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { startPanel } from '../../parts/desktop/panel.ts'
import { desktopEnv, desktopProgram } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await startModelServer({ script: [{ fault: 'hang' }] })
    onCleanup(() => model.close())
    return model
  })
  .extend('panel', { scope: 'file' }, async ({ keyring }, { onCleanup }) => {
    const panel = await startPanel(keyring.env.DBUS_SESSION_BUS_ADDRESS ?? '')
    onCleanup(() => panel.close())
    return panel
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, panel: _there }) => ({ env: keyring.env }))
  .extend(
    'labels',
    { scope: 'file' },
    ({ panel }) =>
      async () =>
        (await panel.menu()).map(({ label }) => label),
  )
  .extend('isVisible', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(each => each.isVisible()))
  })
  .extend('closeWindow', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  })
  /** Starts the app once more, as a person does. */
  .extend('startAgain', { scope: 'file' }, ({ keyring, desktop }) => async (...words: string[]) => {
    const { path, args } = desktopProgram()
    await promisify(execFile)(path, [...args, ...words], { env: desktopEnv(keyring.env, desktop.dataDir) })
  })

const ALWAYS = ['New Conversation', 'Open Atelier', 'Quit']

test('the tray shows what works and what waits, and the docks how many wait', async ({
  desktop,
  model,
  panel,
  labels,
}) => {
  const { page, service } = desktop
  expect(await labels()).toEqual(ALWAYS)
  const atRest = await panel.picture()
  await startConversation(service, { initial_message: said('Think long.'), title: 'A & B_c' })
  await model.request(0)
  await expect.poll(labels).toEqual(['Working', 'A & B_c', ...ALWAYS])
  expect(await panel.tooltip()).toContain('An agent is working.')
  const atWork = await panel.picture()
  expect(atWork).not.toBe(atRest)
  expect(panel.badge()).toBeUndefined()

  model.setScript([{ toolCalls: [{ name: 'terminal', arguments: { command: 'echo first > note.txt' } }] }])
  await startConversation(service, {
    title: 'Tidy up',
    initial_message: said('Tidy the folder up.'),
    confirmation_policy: { kind: 'AlwaysConfirm' },
  })
  await expect.poll(labels).toEqual(['Waiting for You', 'Tidy up', 'Working', 'A & B_c', ...ALWAYS])
  await expect.poll(panel.badge).toEqual({ entry: 'application://atelier.desktop', count: 1, isVisible: true })
  expect(await panel.tooltip()).toContain('An agent is waiting for you.')
  expect([atRest, atWork]).not.toContain(await panel.picture())
  await panel.choose('Tidy up')
  await page.getByRole('button', { name: 'Reject' }).waitFor()

  model.setScript([{ text: 'Then not.' }])
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('textbox', { name: 'Why not' }).press('Enter')
  await expect.poll(panel.badge).toEqual({ entry: 'application://atelier.desktop', count: 0, isVisible: false })
  await panel.choose('New Conversation')
  await page.getByRole('textbox', { name: 'What should the agent do' }).waitFor()
})

test('by choice a closed window is only hidden, and comes back with what was typed', async ({
  desktop,
  panel,
  isVisible,
  closeWindow,
  startAgain,
}) => {
  const { page } = desktop
  await page.evaluate(() => location.assign('#/settings/desktop'))
  const keeps = page.getByRole('switch', { name: 'Keep running when the window is closed' })
  await keeps.click()
  await expect.poll(() => page.evaluate(async () => (await window.atelier?.background())?.keepRunning)).toBe(true)
  await look(desktop, 'settings-desktop')
  await page.evaluate(() => location.assign('#/'))
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.fill('Mine.')
  await closeWindow()
  await expect.poll(isVisible).toEqual([false])

  await startAgain('--hidden')
  expect(await isVisible()).toEqual([false])
  await panel.choose('Open Atelier')
  await expect.poll(isVisible).toEqual([true])
  expect(await task.inputValue()).toBe('Mine.')
  await closeWindow()
  await expect.poll(isVisible).toEqual([false])
  await startAgain()
  await expect.poll(isVisible).toEqual([true])
})

test('without an icon the window cannot be hidden, and the settings say why', async ({ desktop, panel }) => {
  const { page } = desktop
  await page.evaluate(() => location.assign('#/settings/desktop'))
  const icon = page.getByRole('switch', { name: 'Icon in the tray' })
  const keeps = page.getByRole('switch', { name: 'Keep running when the window is closed' })
  await keeps.click()
  await icon.click()
  await expect.poll(panel.hasIcon).toBe(false)
  await page.getByText('Turn on the icon in the tray first.', { exact: false }).waitFor()
  expect(await keeps.isDisabled()).toBe(true)
  await look(desktop, 'settings-desktop-without-icon')
  await icon.click()
  await expect.poll(panel.hasIcon).toBe(true)
  await expect.poll(() => keeps.isDisabled()).toBe(false)
})

test('Quit in the tray ends the app, and a panel that has gone keeps no window back', async ({
  desktop,
  panel,
  closeWindow,
}) => {
  const { app, page } = desktop
  await page.getByRole('switch', { name: 'Keep running when the window is closed' }).click()
  const asked = app.evaluate(
    ({ dialog }) =>
      new Promise<string>(resolve => {
        dialog.showMessageBox = async (...parts: unknown[]) => {
          resolve(JSON.stringify(parts.at(-1)))
          return { response: 1, checkboxChecked: false }
        }
      }),
  )
  await panel.choose('Quit')
  expect(await asked).toContain('An agent is working.')
  panel.close()
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
  })
  const ended = new Promise(resolve => app.process().once('exit', resolve))
  await closeWindow()
  expect(await ended).toBe(0)
})
