import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('image', { scope: 'file' }, async ({ desktop }) => {
    const { items } = await desktop.service.client.call(searchSandboxSpecs, { query: {} })
    return items.find(({ built_in }) => built_in)?.image ?? ''
  })
  .extend('row', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('list', { name: 'Sandbox specs' }).getByRole('listitem').filter({ hasText: name })
  })
  .extend('add', { scope: 'file' }, ({ desktop, image, row }) => async (name: string, step: string): Promise<void> => {
    await desktop.page.getByRole('button', { name: 'Add a spec' }).click()
    const form = desktop.page.getByRole('dialog', { name: 'Add a sandbox spec' })
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Dockerfile').fill(`FROM ${image}\n${step}\n`)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await row(name).getByText('Built at first start').waitFor()
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

test('a build is followed line by line, and cancelled', async ({ desktop, add, row }) => {
  await add('Endless', 'RUN echo it has begun && exec tail -f /dev/null')
  await row('Endless').getByRole('button', { name: 'Build Endless' }).click()
  await row('Endless').getByText('Building').waitFor()
  // The line that the step prints, and not the step, which names it as well.
  await row('Endless')
    .getByRole('log')
    .getByText(/^it has begun$/m)
    .waitFor()
  await row('Endless').getByRole('progressbar', { name: 'Build of Endless' }).waitFor()
  await look(desktop, 'settings-spec-building')
  await row('Endless').getByRole('button', { name: 'Cancel' }).click()
  await row('Endless').getByText('Built at first start').waitFor()
  await row('Endless').getByRole('button', { name: 'Build Endless', exact: true }).waitFor()
})

test('a build that fails shows the end of its log, and is mended from there', async ({ desktop, add, row, image }) => {
  await add('Tools', 'RUN echo something is missing; exit 3')
  await row('Tools').getByRole('button', { name: 'Build Tools' }).click()
  await row('Tools').getByText('Build failed').waitFor()
  await row('Tools')
    .getByRole('log')
    .getByText(/^something is missing$/m)
    .waitFor()
  await row('Tools').getByRole('alert').getByText('code: 3').waitFor()
  await look(desktop, 'settings-spec-build-failed')
  await row('Tools').getByRole('button', { name: 'Edit the Dockerfile …' }).click()
  const form = desktop.page.getByRole('dialog', { name: 'Edit Tools' })
  await form.getByLabel('Dockerfile').fill(`FROM ${image}\nRUN echo all is there\n`)
  await form.getByRole('button', { name: 'Save' }).click()
  await row('Tools').getByRole('button', { name: 'Build Tools', exact: true }).click()
  await row('Tools').getByText('Built', { exact: true }).waitFor()
  // The log is folded once all went well.
  await row('Tools').getByRole('button', { name: 'Log of the build of Tools' }).click()
  await row('Tools')
    .getByRole('log')
    .getByText(/^all is there$/m)
    .waitFor()
  await look(desktop, 'settings-spec-built')
})

test('a sandbox is saved as a spec, which says what it lacks', async ({ desktop, image, row }) => {
  const { page, service } = desktop
  const mounts = [{ host_path: FOLDER, container_path: '/data', mode: 'ro' as const }]
  await service.client.call(createSandboxSpec, { body: { title: 'With a folder', image, mounts } })
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  await page.getByRole('button', { name: 'New sandbox' }).click()
  const start = page.getByRole('dialog', { name: 'New sandbox' })
  await start.getByRole('radio', { name: /With a folder/ }).click()
  await start.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('row').nth(1).getByText('running', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Save as a spec' }).click()
  const form = page.getByRole('dialog', { name: 'Save as a spec' })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText('Give it a name.').waitFor()
  await form.getByLabel('Name of the spec').fill('Warm')
  // The engine is done too soon for somebody to cancel it.
  await page.route('**/save-as-spec', () => {})
  const givenUp = page.waitForEvent('requestfailed', request => request.url().endsWith('/save-as-spec'))
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText('The image is being made.').waitFor()
  await look(desktop, 'sandboxes-saving')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await givenUp
  await form.waitFor({ state: 'detached' })
  await page.unroute('**/save-as-spec')

  await page.getByRole('button', { name: 'Save as a spec' }).click()
  await form.getByLabel('Name of the spec').fill('Warm')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = page.getByRole('dialog', { name: 'The spec is saved' })
  await saved.getByRole('listitem').filter({ hasText: '/data' }).waitFor()
  await look(desktop, 'sandboxes-saved')
  await saved.getByRole('link', { name: 'Open the sandbox specs' }).click()
  await row('Warm').getByText('On this machine').waitFor()
})
