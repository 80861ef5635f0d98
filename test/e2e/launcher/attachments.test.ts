import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { saveLlmProfileV1 } from '../../../server/api/v1/settings/llm-profiles.ts'
import { it as base } from '../../fixtures/window.ts'
import { dropPaths } from '../../parts/window/drop-paths.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-attached-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend(
    'field',
    { scope: 'file' },
    ({ desktop }) =>
      () =>
        desktop.page.getByRole('textbox', { name: 'What should the agent do' }),
  )
  .extend('chips', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  })

test.beforeAll(async ({ desktop: { page }, field }) => {
  await page.evaluate(() => location.assign('#/'))
  await field().waitFor()
})

test('files go with a new task, outlive a reload and a start that failed, and reach the agent', async ({
  desktop,
  folder,
  field,
  chips,
  model,
}) => {
  const { page } = desktop
  model.setScript([{ text: 'I have read them.' }])
  const gone = join(folder, 'gone')
  mkdirSync(gone)
  writeFileSync(join(folder, 'data.csv'), 'a,b\n')
  writeFileSync(join(folder, 'notes.txt'), 'Note')
  await dropPaths(page, field(), [join(folder, 'data.csv'), join(folder, 'notes.txt')])
  await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
  await page.getByLabel('Files', { exact: true }).setInputFiles(join(folder, 'data.csv'))
  await expect.poll(() => page.getByRole('button', { name: 'Remove data.csv' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Remove notes.txt' }).click()
  await dropPaths(page, field(), [gone])
  await field().fill('Read these')
  await page.reload()
  await expect.poll(() => chips().count()).toBe(2)
  await look(desktop, 'launcher-attachments')

  rmSync(gone, { recursive: true })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { name: 'The conversation was not started' }).waitFor()
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => chips().count()).toBe(2)
  expect(await field().inputValue()).toBe('Read these')
  await page.getByRole('button', { name: /^Folder/ }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('I have read them.').waitFor()
  const folderInside = `/tmp/attachments/${new URL(page.url()).hash.split('/').at(-1)?.slice(0, 8)}`
  const lines = ['data.csv', 'data (2).csv'].map(name => `- ${JSON.stringify(`${folderInside}/${name}`)}`)
  const asked = JSON.stringify(model.requests.at(-1)?.body)
  expect(asked).toContain(JSON.stringify(`Read these\n\nAttached files:\n${lines.join('\n')}`).slice(1, -1))
})

test('a saved model is chosen for a new task, with its key', async ({ desktop, field, chips, model }) => {
  const { page, service } = desktop
  const llm = { model: 'openai/spare', base_url: `${model.url.openai}/`, api_key: 'sk-spare-0123456789' }
  await service.client.call(saveLlmProfileV1, { params: { name: 'spare' }, body: { llm } })
  model.setScript([{ text: 'The spare one speaks.' }])
  await page.evaluate(() => location.assign('#/'))
  await field().fill('Hello')
  expect(await chips().count()).toBe(0)
  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: /^spare/ }).click()
  await look(desktop, 'launcher-saved-model')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The spare one speaks.').waitFor()
  expect(model.requests.at(-1)).toMatchObject({
    model: 'spare',
    headers: { authorization: 'Bearer sk-spare-0123456789' },
  })
})
