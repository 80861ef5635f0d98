import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = new TestFolder()
      .write({ 'shop.py': 'PRICE = 1\n', 'stock.py': 'COUNT = 1\n', 'old.py': 'OLD = 1\n' })
      .commit()
    onCleanup(() => folder.remove())
    return folder
  })
  .extend('read', { scope: 'file' }, ({ folder }) => (name: string) => {
    return readFileSync(join(folder.path, name), 'utf8')
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('dialog', { name: 'Apply changes to your folder' })
  })
  .extend('open', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('button', { name: 'Apply to folder…' }).click()
  })

test.beforeAll(async ({ model, desktop, folder }) => {
  model.setScript([
    {
      toolCalls: [
        {
          name: 'terminal',
          arguments: {
            command: 'echo "PRICE = 2" > shop.py; echo "COUNT = 2" > stock.py; rm old.py; echo "NEW = 1" > new.py',
          },
        },
      ],
    },
    { toolCalls: [{ name: 'finish', arguments: { message: 'Prices and stock are doubled.' } }] },
  ])
  const { app_conversation_id } = await startConversation(desktop.service, {
    source: { kind: 'folder', path: folder.path },
    initial_message: { content: [{ type: 'text', text: 'Double everything' }] },
  })
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
  await desktop.page.getByText('Prices and stock are doubled.').waitFor()
})

test('a conflict is chosen for, and the changes come into the folder', async ({
  folder,
  desktop,
  open,
  dialog,
  read,
}) => {
  folder.write({ 'stock.py': 'COUNT = 10\n' })
  await look(desktop, 'apply-conversation')
  await open()
  await dialog().getByText('1 file changed in both places').waitFor()
  await dialog().getByText('3 files', { exact: true }).waitFor()
  await look(desktop, 'apply-conflict')
  await dialog().getByRole('button', { name: 'Apply 3 files' }).click({ force: true })
  expect(read('shop.py')).toBe('PRICE = 1\n')
  await dialog().getByRole('combobox', { name: 'Which file to keep: stock.py' }).click()
  await desktop.page.getByRole('option', { name: 'Keep the file in the folder' }).click()
  await dialog().getByRole('button', { name: 'Apply 3 files' }).click()
  await desktop.page.getByText('3 files were applied. 1 was left as it is.').waitFor()
  expect([read('shop.py'), read('stock.py'), read('new.py')]).toEqual(['PRICE = 2\n', 'COUNT = 10\n', 'NEW = 1\n'])
  expect(existsSync(join(folder.path, 'old.py'))).toBe(false)
})

test('the message of an apply takes it back', async ({ desktop, read, folder }) => {
  await desktop.page.getByRole('button', { name: 'Undo', exact: true }).click()
  await desktop.page.getByText('3 files are as they were before.').waitFor()
  expect([read('shop.py'), read('old.py')]).toEqual(['PRICE = 1\n', 'OLD = 1\n'])
  expect(existsSync(join(folder.path, 'new.py'))).toBe(false)
})

test('an apply is undone later too, unless its files have changed since', async ({
  open,
  dialog,
  desktop,
  read,
  folder,
}) => {
  await open()
  await dialog().getByRole('combobox', { name: 'Which file to keep: stock.py' }).click()
  await desktop.page.getByRole('option', { name: 'Use the conversation’s file' }).click()
  await dialog().getByRole('button', { name: 'Apply 4 files' }).click()
  await desktop.page.getByText('4 files were applied.').waitFor()
  expect(read('stock.py')).toBe('COUNT = 2\n')
  folder.write({ 'shop.py': 'PRICE = 3\n' })
  await open()
  await dialog().getByRole('button', { name: 'Undo the last apply' }).click()
  await desktop.page.getByText(/changed since they were applied, so nothing was undone.*shop\.py/).waitFor()
  folder.write({ 'shop.py': 'PRICE = 2\n' })
  await dialog().getByRole('button', { name: 'Undo the last apply' }).click()
  await desktop.page.getByText('4 files are as they were before.').waitFor()
  expect(read('stock.py')).toBe('COUNT = 10\n')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

test('the changes become a branch of its repository, and the branch is taken back', async ({
  folder,
  open,
  dialog,
  desktop,
}) => {
  const before = folder.git('status', '--porcelain')
  await open()
  await dialog()
    .getByRole('radio', { name: /A new branch/ })
    .click()
  await look(desktop, 'apply-branch')
  await dialog().getByLabel('Branch', { exact: true }).fill('main')
  await dialog().getByRole('button', { name: 'Create branch' }).click()
  await dialog()
    .getByText(/has a branch main already/)
    .waitFor()
  await dialog().getByLabel('Branch', { exact: true }).fill('topic/double')
  await dialog().getByLabel('Message').fill('Double everything')
  await dialog().getByRole('button', { name: 'Create branch' }).click()
  await desktop.page.getByText('The branch topic/double is in your repository.').waitFor()
  expect(folder.git('log', '--format=%s', 'main..topic/double')).toBe('Double everything')
  expect(folder.git('show', 'topic/double:stock.py')).toBe('COUNT = 2')
  expect(folder.git('status', '--porcelain')).toBe(before)
  const message = desktop.page
    .getByRole('region', { name: 'Notices' })
    .getByRole('group')
    .filter({ hasText: 'The branch topic/double is in your repository.' })
  await message.getByRole('button', { name: 'Undo', exact: true }).click()
  await desktop.page.getByText('The branch topic/double is removed.').waitFor()
  expect(folder.git('branch', '--format=%(refname:short)')).toBe('main')
})
