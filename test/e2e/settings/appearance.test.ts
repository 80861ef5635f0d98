import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('choose', { scope: 'file' }, ({ desktop }) => async (setting: string, option: string): Promise<void> => {
    await desktop.page.getByRole('combobox', { name: setting }).click()
    await desktop.page.getByRole('option', { name: option, exact: true }).click()
  })
  /** What the window looks like: the lightness of its ground, from 0 to 255, and the size of its text. */
  .extend('seen', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.evaluate(() => {
      const { backgroundColor, fontSize } = getComputedStyle(document.body)
      return { isLight: Number(/\d+/.exec(backgroundColor)?.[0]) > 128, fontSize }
    })
  })
  .extend('frame', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)
  })

test.beforeAll(async ({ desktop }) => {
  await desktop.page.evaluate(() => location.assign('#/settings/general'))
})

test('the theme is that of the system until one is chosen, which the window keeps', async ({
  desktop,
  frame,
  choose,
  seen,
}) => {
  const { page } = desktop
  expect(await frame()).toBe('system')
  for (const [option, theme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['Dark', 'dark'],
  ] as const) {
    await choose('Theme', option)
    await expect.poll(seen).toMatchObject({ isLight: theme === 'light' })
    await expect.poll(frame).toBe(theme)
  }
  await page.reload()
  await page.getByRole('combobox', { name: 'Theme' }).waitFor()
  expect(await seen()).toMatchObject({ isLight: false })
  await choose('Theme', 'Same as system')
  await expect.poll(frame).toBe('system')
})

test('all text is as large as it was chosen', async ({ seen, choose, desktop }) => {
  expect(await seen()).toMatchObject({ fontSize: '13px' })
  await choose('Text size', 'Larger')
  await expect.poll(seen).toMatchObject({ fontSize: '16.9px' })
  await look(desktop, 'text-larger-settings')
  await desktop.page.evaluate(() => location.assign('#/'))
  await desktop.page.getByRole('heading', { level: 1 }).waitFor()
  await look(desktop, 'text-larger-launcher')
  await desktop.page.evaluate(() => location.assign('#/settings/general'))
  await choose('Text size', 'Normal')
  await expect.poll(seen).toMatchObject({ fontSize: '13px' })
})
