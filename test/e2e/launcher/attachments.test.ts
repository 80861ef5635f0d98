import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { saveLlmProfileV1 } from '../../../server/api/v1/settings/llm-profiles.ts'
import { it as base } from '../../fixtures/launcher.ts'
import { dropPaths } from '../../parts/window/drop-paths.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-attached-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('chips', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  })
  .extend('chooseFolder', { scope: 'file' }, ({ desktop: { page } }) => async (path: string) => {
    await page.getByRole('button', { name: /^Folder/ }).click()
    await page.getByRole('combobox', { name: 'Folder' }).fill(path)
    await page.keyboard.press('Escape')
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
  chooseFolder,
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
  expect(await page.getByRole('button', { name: 'Put it back' }).count()).toBe(0)
  await chooseFolder('')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('I have read them.').waitFor()
  const folderInside = `/tmp/attachments/${new URL(page.url()).hash.split('/').at(-1)?.slice(0, 8)}`
  const lines = ['data.csv', 'data (2).csv'].map(name => `- ${JSON.stringify(`${folderInside}/${name}`)}`)
  const asked = JSON.stringify(model.requests.at(-1)?.body)
  expect(asked).toContain(JSON.stringify(`Read these\n\nAttached files:\n${lines.join('\n')}`).slice(1, -1))
})

test('a task that was begun meanwhile comes back whole when one whose start failed is taken up again', async ({
  desktop,
  folder,
  field,
  chips,
  chooseFolder,
  model,
  onTestFinished,
}) => {
  const { page } = desktop
  const uploads = '**/api/v1/attachments'
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  onTestFinished(() => page.unroute(uploads))
  onTestFinished(() => release())
  model.setScript([{ text: 'The first is done.' }, { text: 'The other is done.' }])
  writeFileSync(join(folder, 'slow.csv'), 'a,b\n')
  const shop = join(folder, 'shop')
  mkdirSync(shop)

  await page.evaluate(() => location.assign('#/'))
  await field().fill('Do the first thing')
  await chooseFolder('/nowhere/at/all')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { name: 'The conversation was not started' }).waitFor()
  const failed = new URL(page.url()).hash

  await page.evaluate(() => location.assign('#/'))
  await field().fill('Do the other thing')
  await chooseFolder(shop)
  await page.route(uploads, async route => {
    await released
    await route.continue()
  })
  await page.getByLabel('Files', { exact: true }).setInputFiles(join(folder, 'slow.csv'))
  await expect.poll(() => chips().count()).toBe(1)

  await page.evaluate(hash => location.assign(hash), failed)
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => field().inputValue()).toBe('Do the first thing')
  expect(await chips().count()).toBe(0)
  await look(desktop, 'launcher-task-replaced')
  const arrived = page.waitForResponse(uploads)
  release()
  await arrived
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expect.poll(() => field().inputValue()).toBe('Do the other thing')
  await page.getByRole('button', { name: /^Folder.*shop/ }).waitFor()
  await page.getByRole('button', { name: 'Remove slow.csv' }).waitFor()

  await page.evaluate(hash => location.assign(hash), failed)
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => field().inputValue()).toBe('Do the first thing')
  await page.reload()
  await chooseFolder('')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The first is done.').waitFor()
  await page.evaluate(() => location.assign('#/'))
  await expect.poll(() => field().inputValue()).toBe('Do the other thing')
  expect(await page.getByRole('button', { name: 'Put it back' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The other is done.').waitFor()
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('slow.csv')
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
