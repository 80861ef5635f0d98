import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { listEngines } from '../../../server/api/v1/system/engines.ts'
import { it as base } from '../../fixtures/window.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'
import { startTlsEngine } from '../../parts/engine/tls-engine.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('other', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), 'atelier-other-engine-')), hasOwnNetwork: true })
    onCleanup(() => engine.close())
    await engine.start()
    return engine
  })
  .extend('far', { scope: 'file' }, async ({ other }, { onCleanup }) => {
    const far = await startTlsEngine(other.host)
    onCleanup(far.close)
    return far
  })
  .extend('near', { scope: 'file' }, async ({}, { onCleanup }) => {
    const near = await startTlsEngine()
    onCleanup(near.close)
    return near
  })
  .extend('row', { scope: 'file' }, ({ desktop }) => (list: string, name: string) => {
    return desktop.page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name })
  })
  .extend('add', { scope: 'file' }, ({ desktop }) => async (name: string, address: string, certificates: string) => {
    const { page } = desktop
    await page.getByRole('button', { name: 'Add an engine' }).click()
    const form = page.getByRole('dialog', { name: 'Add an engine' })
    await form.getByRole('combobox', { name: 'Engine' }).click()
    await page.getByRole('option', { name: 'Another address …' }).click()
    await form.getByLabel('Address').fill(address)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText(/^Name the folder of the keys/).waitFor()
    await form.getByLabel('Certificates').fill(certificates)
    await form.getByLabel('Name', { exact: true }).fill(name)
    await look(desktop, 'settings-engine-new')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  })
  .extend('choose', { scope: 'file' }, ({ desktop, row }) => async (name: string, act: string) => {
    await row('Engines', name)
      .getByRole('button', { name: `More for ${name}` })
      .click()
    await desktop.page.getByRole('menuitem', { name: act }).click()
  })

/** That engine has none of the images yet. */
const FIRST_START = { timeout: 240_000 }

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
  await desktop.page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Sandbox', exact: true })
    .click()
})

test('the engine that was found by itself is shown, and stays', async ({ desktop, row }) => {
  await row('Engines', 'Default')
    .getByText(/0 sandboxes, 0 running/)
    .waitFor()
  await row('Engines', 'Default').getByText('Ready').waitFor()
  await row('Engines', 'Default')
    .getByRole('button', { name: /^More for/ })
    .click()
  const remove = desktop.page.getByRole('menuitem', { name: 'Remove …' })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await desktop.page.keyboard.press('Escape')
})

test('the same engine at another address is not used twice', async ({ desktop, near, row, add, choose }) => {
  await add('Twice', near.host, near.certificates)
  await row('Engines', 'Twice')
    .getByText(/same engine/)
    .waitFor()
  await look(desktop, 'settings-engine-twice')
  await choose('Twice', 'Remove …')
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await row('Engines', 'Twice').waitFor({ state: 'detached' })
})

test(
  'a sandbox runs on an engine that was added, and its spec names it',
  FIRST_START,
  async ({ desktop, far, row, add }) => {
    const { page } = desktop
    await add('Far', far.host, far.certificates)
    await row('Engines', 'Far').getByText('Ready').waitFor()
    await row('Engines', 'Far')
      .getByText(/answers in \d+ ms/)
      .waitFor()
    await look(desktop, 'settings-engines')
    await page.getByRole('button', { name: 'Add a spec' }).click()
    const form = page.getByRole('dialog', { name: 'Add a sandbox spec' })
    await form.getByLabel('Name').fill('Away')
    const { client } = desktop.service
    expect((await client.call(listEngines)).items).toHaveLength(2)
    const [first] = (await client.call(searchSandboxSpecs, { query: {} })).items
    await form.getByLabel('Image').fill(first?.image ?? '')
    await form.getByRole('combobox', { name: 'Engine' }).click()
    await page.getByRole('option', { name: 'Far' }).click()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await row('Sandbox specs', 'Away').getByText('Far', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Sandboxes' }).click()
    await page.getByRole('button', { name: 'New sandbox' }).first().click()
    const start = page.getByRole('dialog', { name: 'New sandbox' })
    await start.getByRole('radio', { name: /^Away/ }).click()
    await start.getByRole('button', { name: 'Start' }).click()
    const sandbox = page.getByRole('row').filter({ hasText: 'Away' })
    await sandbox.getByText('running', { exact: true }).waitFor()
    await sandbox.getByText('Far', { exact: true }).first().waitFor()
    await look(desktop, 'sandboxes-engines')
  },
)

test('an engine that was added is diagnosed beside the default one', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: /About/ }).click()
  await page.getByRole('button', { name: 'Diagnose' }).click()
  await page.getByRole('button', { name: 'Run again' }).waitFor()
  const checks = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('heading', { level: 4 })
  expect(await checks('Diagnosis').count()).toBe(15)
  expect(await checks('Diagnosis of Far').allTextContents()).toContain('Clock')
  expect(await checks('Diagnosis of Far').count()).toBe(8)
  await page.getByRole('heading', { name: 'Far', exact: true }).scrollIntoViewIfNeeded()
  await look(desktop, 'diagnosis-of-engines')
  await page.getByRole('link', { name: 'Sandboxes' }).click()
})

test('a lost engine is said with its sandboxes, and can be forgotten', async ({ desktop, other, row, choose }) => {
  const { page } = desktop
  await other.kill()
  await page.getByRole('row').filter({ hasText: 'Away' }).getByText('engine away', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sandbox', exact: true }).click()
  await row('Engines', 'Far').getByText('Not available').waitFor()
  await row('Engines', 'Default').getByText('Ready').waitFor()
  await look(desktop, 'settings-engine-lost')
  await row('Sandbox specs', 'Away').getByRole('button', { name: 'More for Away' }).click()
  await page.getByRole('menuitem', { name: 'Remove …' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await row('Sandbox specs', 'Away').waitFor({ state: 'detached' })
  await choose('Far', 'Remove …')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove and forget' }).click()
  await row('Engines', 'Far').waitFor({ state: 'detached' })
})
