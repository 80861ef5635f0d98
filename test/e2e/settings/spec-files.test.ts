import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'
import { nextDownload } from '../../parts/window/next-download.ts'
import { description, imageEntries, smallImage, specFile } from '../../sandbox/spec-file/parts.ts'

const test = base.extend('settings', { scope: 'file' }, {})

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-spec-file-'))

afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
})

const fileOf = async (image: object, entries: [string, Buffer | string][] = []) => ({
  name: 'Shared.atelier-spec.tar',
  mimeType: 'application/x-tar',
  buffer: await specFile([['spec.json', description(image)], ...entries]),
})

test('a spec is imported, read, exported, and removed again', async ({ desktop }) => {
  const { page, service } = desktop
  const { items } = await service.client.call(searchSandboxSpecs, { query: {} })
  const image = items.find(({ built_in }) => built_in)?.image ?? ''
  await service.client.call(createSandboxSpec, {
    body: { title: 'Own', image, mounts: [{ host_path: FOLDER, container_path: '/data', mode: 'ro' }] },
  })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sandbox', exact: true }).click()
  const list = page.getByRole('list', { name: 'Sandbox specs' })
  const input = page.getByLabel('File of a sandbox spec')

  // One that is none says so, and another can be chosen.
  const wrong = { name: 'notes.tar', mimeType: 'application/x-tar', buffer: Buffer.from('no tar') }
  await input.setInputFiles(wrong)
  const importing = page.getByRole('dialog', { name: 'Import a sandbox spec' })
  await importing.getByRole('alert').getByText('no file of a sandbox spec').waitFor()
  await look(desktop, 'settings-spec-import-refused')
  await importing.getByRole('button', { name: 'Close' }).last().click()
  await importing.waitFor({ state: 'detached' })

  // The engine is done too soon for somebody to cancel it.
  const file = await fileOf({ kind: 'included' }, imageEntries(await smallImage()))
  await page.route('**/sandbox-specs/import', () => {})
  const givenUp = page.waitForEvent('requestfailed', request => request.url().endsWith('/sandbox-specs/import'))
  await input.setInputFiles(file)
  await importing.getByRole('progressbar').waitFor()
  await look(desktop, 'settings-spec-importing')
  await importing.getByRole('button', { name: 'Cancel' }).click()
  await givenUp
  await page.unroute('**/sandbox-specs/import')

  await input.setInputFiles(file)
  const imported = page.getByRole('dialog', { name: 'Shared is imported' })
  await imported.getByText('From the file').waitFor()
  await imported.getByText('Nothing', { exact: true }).waitFor()
  await imported.getByRole('listitem').filter({ hasText: '/data' }).waitFor()
  await look(desktop, 'settings-spec-imported')
  await imported.getByRole('button', { name: 'Keep' }).click()
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await row('Shared').getByText('Imported from Shared.atelier-spec.tar').waitFor()

  const choose = async (name: string) => {
    await row(name)
      .getByRole('button', { name: `More for ${name}` })
      .click()
    await page.getByRole('menuitem', { name: 'Export …' }).click()
  }
  await choose('Own')
  const exporting = page.getByRole('dialog', { name: 'Export Own' })
  await exporting.getByText('the image that comes with Atelier there').waitFor()
  await exporting.getByRole('listitem').filter({ hasText: '/data' }).waitFor()
  await look(desktop, 'settings-spec-export')
  await exporting.getByRole('button', { name: 'Cancel' }).click()

  await choose('Shared')
  const shared = page.getByRole('dialog', { name: 'Export Shared' })
  await shared.getByText('with every file that was saved or built into it').waitFor()
  const path = join(FOLDER, 'Shared.atelier-spec.tar')
  const saved = nextDownload(desktop, path)
  await shared.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await saved).toBe('completed Shared.atelier-spec.tar')
  await page.getByText('Shared is exported.').waitFor()

  // What the window was given is imported as it is.
  await input.setInputFiles(path)
  const again = page.getByRole('dialog', { name: 'Shared (2) is imported' })
  await again.getByRole('button', { name: 'Remove again' }).click()
  await again.waitFor({ state: 'detached' })
  await expect.poll(() => row('Shared (2)').count()).toBe(0)
})
