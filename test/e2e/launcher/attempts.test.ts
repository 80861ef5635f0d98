import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ar } from '../../../renderer/language/ar/catalogues.ts'
import { de } from '../../../renderer/language/de/catalogues.ts'
import { deleteLlmProfileV1, saveLlmProfileV1 } from '../../../server/api/v1/settings/llm-profiles.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/launcher.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-tried-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/first',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
  }))
  .extend('attempts', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
  })
  .extend('spare', { scope: 'file' }, ({ desktop, model }) => async (name: string) => {
    const llm = { model: 'openai/other', base_url: model.url.openai, api_key: 'sk-other' }
    await desktop.service.client.call(saveLlmProfileV1, { params: { name }, body: { llm } })
  })

test.beforeEach(async ({ desktop: { page }, field, model }) => {
  model.setScript(({ model: name, body }: ModelRequest) => {
    const last = (body.messages as { role: string }[]).at(-1)
    return last?.role === 'tool' ? { text: 'Done.' } : tool('terminal', { command: `echo ${name} >made-by` })
  })
  await page.evaluate(() => location.assign('#/'))
  await field().waitFor()
})

test('a task is tried several times from the launcher, with its files, and the attempts stand beside it', async ({
  desktop,
  folder,
  field,
  attempts,
  spare,
}) => {
  const { page } = desktop
  await spare('spare')
  writeFileSync(join(folder, 'notes.txt'), 'Note')
  await page.getByLabel('Files', { exact: true }).setInputFiles(join(folder, 'notes.txt'))
  await field().fill('Say who you are')
  await page.getByRole('button', { name: 'Attempts: 1 attempt' }).click()
  await page.getByText('The task is done once').waitFor()
  await page.getByRole('combobox', { name: 'Attempts' }).click()
  await page.getByRole('option', { name: '3', exact: true }).click()
  await page.getByRole('button', { name: 'Remove attempt 3' }).click()
  await page.getByRole('combobox', { name: 'Model of attempt 2' }).fill('spare')
  await page.getByRole('option', { name: /^spare/ }).click()
  await page.getByRole('textbox', { name: 'Check' }).fill('grep first made-by && ls /tmp/attachments/*/notes.txt')
  await look(desktop, 'launcher-attempts')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Check' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Attempts: 2 attempts' }).waitFor()
  await look(desktop, 'launcher-attempts-chosen')

  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await attempts().nth(0).getByText('Check passes').waitFor()
  await attempts().nth(1).getByText('Check fails (1)').waitFor()
  await attempts().nth(1).getByText('spare · openai/other').waitFor()
  // The files are for the agent: people see what they wrote.
  await page.getByRole('heading', { name: 'Say who you are', exact: true, level: 3 }).waitFor()
  expect(page.url()).not.toContain('tab=')
  await page
    .getByRole('heading', { name: 'The attempts have the task' })
    .or(page.getByText('The attempts have the task'))
    .first()
    .waitFor()
  await look(desktop, 'launcher-attempts-begun')
  await page.getByRole('tab', { name: /^Files/ }).click()
  await page.getByRole('button', { name: 'Show the attempts' }).click()
  await attempts().nth(0).waitFor()

  // They cost as often as they are made: the next task is done once again.
  await page.evaluate(() => location.assign('#/'))
  await page.getByRole('button', { name: 'Attempts: 1 attempt' }).waitFor()
})

test('they are chosen with the keyboard, and a start that fails gives all of it back', async ({
  desktop,
  field,
  attempts,
  spare,
}) => {
  const { page, service } = desktop
  await spare('gone')
  await field().fill('Say it again')
  await page.getByRole('button', { name: 'Attempts: 1 attempt' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Attempts' }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('option', { name: '1', exact: true }))
  await page.keyboard.press('ArrowDown')
  await hasFocus(page.getByRole('option', { name: '2', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Model of attempt 1' }).focus()
  await page.keyboard.type('gone')
  await page.getByRole('option', { name: /^gone/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Attempts' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Attempts: 2 attempts' }).waitFor()
  await service.client.call(deleteLlmProfileV1, { params: { name: 'gone' } })
  await field().focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('There is no saved model “gone”').waitFor()
  expect(await field().inputValue()).toBe('Say it again')

  await page.getByRole('button', { name: 'Attempts: 2 attempts' }).click()
  await page.getByRole('combobox', { name: 'Model of attempt 1' }).fill('')
  await page.getByRole('textbox', { name: 'Check' }).fill('true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Folder/ }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('/nowhere/at/all')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { name: 'The conversation was not started' }).waitFor()
  await page.getByText(/2 attempts/).waitFor()
  await page.getByRole('link', { name: 'Change the task' }).click()
  await page.getByRole('button', { name: 'Attempts: 2 attempts' }).click()
  expect(await page.getByRole('textbox', { name: 'Check' }).inputValue()).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Folder/ }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await attempts().nth(0).getByText('Check passes').waitFor()
  await attempts().nth(1).getByText('Check passes').waitFor()
})

test('Escape closes an open list, then the choice, wherever the focus is', async ({ desktop, spare }) => {
  const { page } = desktop
  const chip = page.getByRole('button', { name: /^Attempts: / })
  const count = page.getByRole('combobox', { name: 'Attempts' })
  const model = page.getByRole('combobox', { name: 'Model of attempt 1' })
  await spare('spare')
  await chip.click()
  await count.click()
  await page.getByRole('option', { name: '2', exact: true }).click()
  await page.getByText('An empty field takes the model chosen for the task.').waitFor()
  await model.fill('spare')
  await page.getByRole('option', { name: /^spare/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  expect(await model.inputValue()).toBe('spare')
  await page.keyboard.press('Escape')
  await count.waitFor({ state: 'hidden' })

  await chip.click()
  await model.fill('no/such-model')
  await page.keyboard.press('Escape')
  await count.waitFor({ state: 'hidden' })

  await chip.click()
  expect(await model.inputValue()).toBe('no/such-model')
  await model.focus()
  await page.keyboard.press('Tab')
  await page.getByText('Remove attempt 1', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await count.waitFor({ state: 'hidden' })
})

test('attempts that have their models need none in the settings', async ({ desktop, field, settings }) => {
  const { page, service } = desktop
  await service.client.call(storeSettingsV1, { body: { llm_model: null } })
  await field().fill('Say who you are')
  const notice = page.getByText('No model is set up.', { exact: true })
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await notice.waitFor()
  await page.getByRole('button', { name: /^Attempts: / }).click()
  await page.getByRole('combobox', { name: 'Attempts' }).click()
  await page.getByRole('option', { name: '2', exact: true }).click()
  await page.getByRole('combobox', { name: 'Model of attempt 1' }).fill('openai/one')
  await page.getByRole('combobox', { name: 'Model of attempt 2' }).fill('')
  expect(await start.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('combobox', { name: 'Model of attempt 2' }).fill('openai/two')
  await notice.waitFor({ state: 'hidden' })
  await expect.poll(() => start.getAttribute('aria-disabled')).not.toBe('true')
  await service.client.call(storeSettingsV1, { body: settings })
})

test.for([
  ['de', de],
  ['ar', ar],
] as const)('their choice is whole in %s', async ([language, { launcher }], { desktop }) => {
  const { page, service } = desktop
  const speak = async (wanted: string) => {
    // Where nothing is typed, the window is loaded anew for it.
    await page.evaluate(() => location.assign('#/settings/general'))
    await service.client.call(storeSettingsV1, { body: { language: wanted } })
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(wanted)
    await page.evaluate(() => location.assign('#/'))
  }
  await speak(language)
  await page.getByRole('button', { name: new RegExp(`^${launcher.attempts}: `) }).click()
  await page.getByRole('combobox', { name: launcher.attempts, exact: true }).click()
  await page.getByRole('option').nth(2).click()
  await page.getByText(launcher.emptyIsModelOfTask).waitFor()
  await look(desktop, `launcher-attempts-${language}`)
  await speak('en')
})
