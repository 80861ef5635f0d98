import { expect } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('started', { scope: 'file' }, async ({ model, desktop }) => {
    model.setScript([tool('terminal', { command: 'echo one >one.txt; ls /nowhere' }), { text: 'There is one file.' }])
    return startConversation(desktop.service, { title: 'Files', initial_message: said('Make a file') })
  })
  .extend('conversation', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('go', { scope: 'file' }, ({ desktop }) => (route: string) => {
    return desktop.page.evaluate(address => location.assign(address), `#${route}`)
  })
  .extend('spoken', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])
  })
  .extend('menus', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.items[0]?.submenu?.items.map(({ label }) => label),
    )
  })

test('is chosen in the settings, and the window and its menus are in it at once', async ({
  desktop,
  spoken,
  menus,
  go,
}) => {
  const { page } = desktop
  expect(await spoken()).toEqual(['en', 'ltr'])
  expect(await menus()).toContain('New Conversation')
  await go('/settings/general')
  await page.getByRole('combobox', { name: 'Language' }).click()
  // A list that is open does not follow its field to where that stands at another size.
  await look(desktop, 'language-choice', { narrow: false })
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(spoken).toEqual(['de', 'ltr'])
  await page
    .getByRole('heading', { name: 'Sprache' })
    .or(page.getByText('Sprache', { exact: true }))
    .first()
    .waitFor()
  await expect.poll(menus).not.toContain('New Conversation')
})

test.for([
  ['de', 'ltr'],
  ['ja', 'ltr'],
  ['ar', 'rtl'],
])('%s is shown on every page', async ([language, direction], { desktop, go, spoken, conversation }) => {
  const { page, service } = desktop
  await go('/settings/general')
  await service.client.call(storeSettingsV1, { body: { language } })
  await expect.poll(spoken).toEqual([language, direction])
  await page.locator('main').waitFor()
  await look(desktop, `language-${language}-settings`)
  await go('/')
  await page.getByRole('textbox').last().waitFor()
  await look(desktop, `language-${language}-launcher`)
  await go(`/conversations/${conversation}`)
  await page.getByText('There is one file.').waitFor()
  await look(desktop, `language-${language}-conversation`)
  await go('/sandboxes')
  await page.locator('main').getByRole('heading').first().waitFor()
  await look(desktop, `language-${language}-sandboxes`)
})

test('where reading goes from right to left the panel stands at the left, and is made wider to the right', async ({
  desktop,
  go,
  spoken,
  conversation,
}) => {
  const { page, service } = desktop
  await go('/settings/general')
  await service.client.call(storeSettingsV1, { body: { language: 'ar' } })
  await expect.poll(spoken).toEqual(['ar', 'rtl'])
  await go(`/conversations/${conversation}`)
  await page.getByText('There is one file.').waitFor()
  const separator = page.getByRole('separator')
  const place = async () => (await separator.boundingBox())?.x ?? 0
  const before = await place()
  const composer = (await page.getByRole('textbox').last().boundingBox())?.x ?? 0
  expect(before).toBeLessThan(composer)
  await page.mouse.move(before, 300)
  await page.mouse.down()
  await page.mouse.move(before + 60, 300, { steps: 4 })
  await page.mouse.up()
  await expect.poll(place).toBeGreaterThan(before + 40)
  const tabs = page.getByRole('tab')
  await tabs.first().click()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tabs.nth(1).evaluate(tab => tab === document.activeElement)).toBe(true)
})

test('is that of the system where the settings say none, and one that there is not', async ({
  desktop,
  go,
  spoken,
}) => {
  const { service } = desktop
  await go('/settings/general')
  for (const language of ['no', null]) {
    await service.client.call(storeSettingsV1, { body: { language } })
    await expect.poll(spoken).toEqual(['en', 'ltr'])
  }
})
