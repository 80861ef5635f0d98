import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('specs', { scope: 'file' }, ({ desktop }) => async () => {
    return (await desktop.service.client.call(searchSandboxSpecs, { query: {} })).items
  })
  .extend('row', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('list', { name: 'Sandbox specs' }).getByRole('listitem').filter({ hasText: name })
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('dialog', { name })
  })
  .extend('choose', { scope: 'file' }, ({ row, desktop }) => async (spec: string, act: string): Promise<void> => {
    await row(spec)
      .getByRole('button', { name: `More for ${spec}` })
      .click()
    await desktop.page.getByRole('menuitem', { name: act }).click()
  })

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-mount-'))

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
  await desktop.page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Sandbox', exact: true })
    .click()
})
afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
})

test('what does not fit is said at its field, before anything is sent', async ({ desktop, dialog }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'Add a spec' }).click()
  const form = dialog('Add a sandbox spec')
  await form.getByLabel('Image').fill('Not an image')
  await form.getByLabel('Environment').fill('GITHUB_TOKEN=abc')
  await form.getByRole('button', { name: 'Add a folder' }).click()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Give it a name.').waitFor()
  await form.getByText('Name an image as docker pull does, like node:22.').waitFor()
  await form.getByText(/GITHUB_TOKEN: this looks like a secret/).waitFor()
  await form.getByText('Name a folder of this machine by its whole path.').waitFor()
  await expect.poll(() => form.getByLabel('Name').evaluate(field => field === document.activeElement)).toBe(true)
  await look(desktop, 'settings-spec-wrong')
})

test('a spec with limits, a folder and no network is added as it was entered', async ({ dialog, row, specs }) => {
  const form = dialog('Add a sandbox spec')
  await form.getByLabel('Name').fill('Small')
  await form.getByLabel('Image').fill('debian:13')
  await form
    .getByRole('group', { name: 'Network' })
    .getByRole('radio', { name: /^Nothing/ })
    .click()
  await form.getByLabel('Memory, GB').fill('1.5')
  await form.getByLabel('Processors').fill('1')
  await form.getByLabel('Disk, GB').fill('30')
  await form.getByLabel('Environment').fill('MODE=test')
  await form.getByLabel('Folder', { exact: true }).fill(FOLDER)
  await form.getByLabel('In the sandbox').fill('/data')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await row('Small').getByText('1.5 GB · 1 processor · 30 GB disk · no network · 1 mount').waitFor()
  expect(await specs()).toContainEqual(
    expect.objectContaining({
      title: 'Small',
      image: 'debian:13',
      network: 'none',
      initial_env: { MODE: 'test' },
      limits: { memory_bytes: 1_500_000_000, cpus: 1, pids: null, disk_bytes: 30_000_000_000 },
      mounts: [{ host_path: FOLDER, container_path: '/data', mode: 'ro' }],
    }),
  )
})

test('it is made the default, copied, changed and removed', async ({ desktop, choose, row, dialog, specs }) => {
  const { page } = desktop
  await choose('Small', 'Make it the default')
  await row('Small').getByText('Default').waitFor()
  await choose('Small', 'Copy …')
  await dialog('Copy Small').getByRole('button', { name: 'Add', exact: true }).click()
  await row('Small copy').waitFor()
  await look(desktop, 'settings-specs')
  await choose('Small copy', 'Edit …')
  await dialog('Edit Small copy').getByLabel('Name').fill('Medium')
  await dialog('Edit Small copy').getByRole('button', { name: 'Save' }).click()
  await row('Medium').waitFor()
  await choose('Medium', 'Remove …')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  // Behind the question no row is in the page's tree.
  await expect
    .poll(async () =>
      (await specs()).flatMap(({ built_in, title, is_default }) => (built_in ? [] : [{ title, is_default }])),
    )
    .toEqual([{ title: 'Small', is_default: true }])
  await row('Small').waitFor()
  await expect.poll(() => row('Medium').count()).toBe(0)
})

test('what comes with Atelier cannot be changed, and says how it can be used', async ({ specs, desktop }) => {
  const [builtIn] = (await specs()).filter(spec => spec.built_in)
  await desktop.page
    .getByRole('button', { name: `More for ${builtIn?.title}` })
    .first()
    .click()
  await expect(desktop.page.getByRole('menuitem', { name: /Edit …/ }).getAttribute('aria-disabled')).resolves.toBe(
    'true',
  )
  await desktop.page
    .getByText(/Copy it to change it/)
    .first()
    .waitFor()
  await desktop.page.keyboard.press('Escape')
})
