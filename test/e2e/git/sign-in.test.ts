import { expect } from 'vitest'
import { getSettings } from '../../../server/api/v1/settings/settings.ts'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/window.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('provider', { scope: 'file' }, async ({}, { onCleanup }) => {
    const provider = await startGitProvider()
    onCleanup(() => provider.close())
    return provider
  })
  .extend('settings', { scope: 'file' }, null)
  // Without a keyring.
  .extend('desktopOptions', { scope: 'file' }, ({}) => ({ env: {} }))
  .extend('dialog', { scope: 'file' }, ({ desktop }) => (title = 'GitHub') => {
    return desktop.page.getByRole('dialog', { name: `Sign in to ${title}` })
  })
  .extend('code', { scope: 'file' }, ({ dialog }) => (title?: string) => {
    return dialog(title).getByLabel('Code to enter')
  })
  .extend('stored', { scope: 'file' }, ({ desktop }) => async () => {
    return (await desktop.service.client.call(getSettings)).provider_tokens_set
  })

test.beforeAll(async ({ desktop }) => {
  const { page, app } = desktop
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async address => void opened.push(address)
  })
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Git', exact: false }).click()
})

test('an application that the provider does not know is said in the form', async ({ desktop, dialog, provider }) => {
  const { page } = desktop
  await look(desktop, 'sign-in-providers')
  await page.getByRole('button', { name: 'Sign in to GitHub' }).click()
  await hasFocus(dialog().getByLabel('Client ID'))
  await page.keyboard.press('Enter')
  await dialog().getByText('Paste the client ID of the application.').waitFor()
  await dialog().getByLabel('Client ID').fill('unknown')
  await dialog().getByLabel('Host').fill(provider.address)
  await page.keyboard.press('Enter')
  await dialog().getByRole('alert').waitFor()
  await look(desktop, 'sign-in-form')
})

test('the code is shown, copied, and its page opened in the browser', async ({ desktop, dialog, code, provider }) => {
  const { page, app } = desktop
  await dialog().getByLabel('Client ID').fill('known-client')
  await page.keyboard.press('Enter')
  await code().waitFor()
  expect(await code().textContent()).toBe('WDJB-MJHT')
  await dialog().getByText('Waiting for you to enter the code. It is valid for 9 min').waitFor()
  await dialog().getByRole('button', { name: 'Copy the code' }).click()
  await dialog().getByRole('button', { name: 'Copied' }).waitFor()
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('WDJB-MJHT')
  await dialog().getByRole('button', { name: 'Open GitHub' }).press('Enter')
  const opened = () => app.evaluate(() => (globalThis as { opened?: string[] }).opened)
  await expect.poll(opened).toEqual([`${provider.address}/login/device`])
  await look(desktop, 'sign-in-waiting')
  const [device] = provider.signIns.secrets
  expect(await page.content()).not.toContain(device)
})

test('a provider that is away is said, and waited for', async ({ provider, dialog, desktop, code }) => {
  provider.mood = 'down'
  await dialog().getByText('Atelier goes on asking until the code expires.').waitFor()
  await look(desktop, 'sign-in-away')
  expect(await code().isVisible()).toBe(true)
  provider.mood = 'well'
})

test('what was refused is tried again with another code, and ends as somebody', async ({
  desktop,
  provider,
  dialog,
  code,
  stored,
}) => {
  const { page } = desktop
  provider.signIns.person = 'denies'
  await dialog().getByText('was refused at GitHub').waitFor({ timeout: 60_000 })
  await look(desktop, 'sign-in-denied')
  provider.signIns.person = 'thinks'
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await code().waitFor()
  provider.signIns.person = 'allows'
  await dialog().getByText('Signed in to GitHub as octocat. The token is stored.').waitFor()
  await look(desktop, 'sign-in-done')
  expect(await stored()).toEqual({ github: provider.address })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Test the token of GitHub' }).click()
  await page.getByText('GitHub knows the token as octocat’s.').waitFor()
})

test('a code that expires says so, and closing the dialog cancels what waits', async ({
  desktop,
  provider,
  dialog,
  code,
  stored,
}) => {
  const { page } = desktop
  Object.assign(provider.signIns, { person: 'thinks', codeLife: 2 })
  await page.getByRole('button', { name: 'Sign in to GitLab' }).click()
  await dialog('GitLab').getByLabel('Client ID').fill('known-client')
  await dialog('GitLab').getByLabel('Host').fill(provider.address)
  await page.keyboard.press('Enter')
  await dialog('GitLab').getByText('The code has expired').waitFor()
  await look(desktop, 'sign-in-expired')
  provider.signIns.codeLife = 600
  await dialog('GitLab').getByRole('button', { name: 'Try again' }).click()
  await code('GitLab').waitFor()
  const cancelled = page.waitForResponse(response => response.request().method() === 'DELETE')
  await page.keyboard.press('Escape')
  expect((await cancelled).status()).toBe(200)
  await dialog('GitLab').waitFor({ state: 'detached' })
  expect(await stored()).toEqual({ github: provider.address })
})

test('a token of the server of an organization needs its host, and is known as what answers there', async ({
  desktop,
  provider,
}) => {
  const { page } = desktop
  provider.only = 'gitlab'
  provider.accepted.add('Bearer of-organization')
  await page.getByRole('button', { name: 'Add the token of Enterprise SSO' }).click()
  const form = page.getByRole('form', { name: 'Enterprise SSO token' })
  await form.getByLabel('Token').fill('of-organization')
  await page.keyboard.press('Enter')
  await form.getByText('Give a name like').waitFor()
  await look(desktop, 'sign-in-organization')
  await form.getByLabel('Host').fill(provider.address)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Test the token of Enterprise SSO' }).click()
  await page.getByText(/GitLab at .* knows the token as tanuki’s\./).waitFor()
  await look(desktop, 'sign-in-organization-known')
})
