import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { inspectFolder } from '../../../server/api/v1/conversation/folder/folders.ts'
import { it as base } from '../../fixtures/window.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { desktopEnv, desktopProgram, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = new TestFolder().write({ 'shop.py': 'PRICE = 1\n', '.gitignore': 'out/\n' }).commit()
    onCleanup(() => folder.remove())
    folder.write({ 'shop.py': 'PRICE = 2\n', 'out/build.txt': 'ignored\n' })
    return folder
  })
  .extend('path', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('combobox', { name: 'Folder' })
  })

test('a folder that is refused says why, and is looked at only once its path is typed', async ({
  desktop,
  folder,
  path,
}) => {
  const { page } = desktop
  let looks = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === inspectFolder.path) looks++
  })
  const missing = folder.beside('a folder that nobody has made')
  await page.getByRole('button', { name: /^Folder:/ }).click()
  // It may be over soon after the last key.
  const looking = page.getByText('Looking at the folder…').waitFor()
  await path().pressSequentially(missing)
  await looking
  await page.getByText(`There is no folder ${missing} on this computer. Check the path.`).waitFor()
  // A machine under load may pause between two keys.
  expect(looks).toBeLessThan(missing.length / 2)
  await look(desktop, 'folder-refused')
})

test('a conversation starts with a copy of a folder, uncommitted files included', async ({
  desktop,
  model,
  path,
  folder,
}) => {
  const { page } = desktop
  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: 'cat shop.py; ls' } }] },
    { toolCalls: [{ name: 'finish', arguments: { message: 'The price is two.' } }] },
  ])
  await path().fill(folder.path)
  await page.getByText(/^Git repository on main\. 2 files, .* 1 ignored entry is left out\.$/).waitFor()
  await page.getByRole('switch', { name: 'Copy 1 uncommitted file too' }).waitFor()
  await look(desktop, 'folder-chosen')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.pressSequentially('What does it cost?')
  expect(await task.inputValue()).toBe('What does it cost?')
  await look(desktop, 'folder-launcher')
  await task.press('Control+Enter')
  await page.getByText('The price is two.').waitFor()
  await page.getByRole('button', { name: /^cat shop\.py; ls/ }).click()
  await page.getByText(/PRICE = 2\s+shop\.py/).waitFor()
  await look(desktop, 'folder-conversation')
  expect(folder.git('status', '--porcelain')).toBe('M shop.py')
  expect(folder.git('branch', '--format=%(refname:short)')).toBe('main')
})

test('an agent works in the folder itself once a person has agreed, and in a worktree', async ({
  desktop,
  model,
  path,
  folder,
}) => {
  const { page } = desktop
  const answer = () =>
    model.setScript([
      { toolCalls: [{ name: 'terminal', arguments: { command: 'echo "PRICE = 3" >shop.py' } }] },
      { toolCalls: [{ name: 'finish', arguments: { message: 'It is three now.' } }] },
    ])
  const open = async (mode: string) => {
    answer()
    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('button', { name: /^Folder:/ }).click()
    await path().fill(folder.path)
    await page.getByRole('combobox', { name: 'How the agent works on it' }).click()
    await page.getByRole('option', { name: mode }).click()
  }
  const start = async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const task = page.getByRole('textbox', { name: 'What should the agent do' })
    await task.fill('Raise the price.')
    await task.press('Control+Enter')
    await page.getByText('It is three now.').waitFor()
  }
  await open('In place')
  await page.getByText('Let the agent change this folder itself?').waitFor()
  await look(desktop, 'folder-in-place-question')
  await page.getByRole('button', { name: 'Work in place' }).click()
  await page.getByText('In the folder itself, beside you.').first().waitFor()
  await look(desktop, 'folder-in-place')
  await start()
  await page.getByText('In shop itself: every change is there at once').waitFor()
  await look(desktop, 'folder-in-place-conversation')
  expect(readFileSync(join(folder.path, 'shop.py'), 'utf8')).toBe('PRICE = 3\n')
  folder.write({ 'shop.py': 'PRICE = 2\n' })

  await open('Worktree')
  await start()
  await page.getByText(/^Worktree shop-\w{8}: what the agent commits is on a branch of your repository$/).waitFor()
  await look(desktop, 'folder-worktree-conversation')
  expect(readFileSync(join(folder.path, 'shop.py'), 'utf8')).toBe('PRICE = 2\n')
  const [, worktree = ''] = /worktree (\S+shop-\w{8})/.exec(folder.git('worktree', 'list', '--porcelain')) ?? []
  expect(readFileSync(join(worktree, 'shop.py'), 'utf8')).toBe('PRICE = 3\n')
})

test('a folder that is dropped on the launcher is chosen', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'New conversation' }).click()
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  const { x = 0, y = 0 } = (await task.boundingBox()) ?? {}
  const other = new TestFolder('dropped').write({ 'a.txt': 'one\n' })
  const protocol = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [other.path], dragOperationsMask: 1 }
    await protocol.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 10, data })
  }
  await page.getByRole('button', { name: 'Folder: dropped' }).waitFor()
  other.remove()
})

test('the app begins with a folder that it is given, after the first run too, and a second start tells the first', async ({
  keyring,
  folder,
}) => {
  const { path, args } = desktopProgram()
  const options = (words: string[]) => ({ env: keyring.env, program: { path, args: [...args, ...words] } })
  const first = await startDesktopApp(options([`--folder=${folder.path}`]))
  try {
    await first.page.getByRole('button', { name: 'Skip for now' }).click()
    await first.page.getByRole('button', { name: 'Folder: shop' }).waitFor()
    const other = folder.beside('other shop')
    const env = desktopEnv(keyring.env, first.dataDir)
    await promisify(execFile)(path, [...args, '--folder', 'other shop'], { env, cwd: dirname(other) })
    await first.page.getByRole('button', { name: 'Folder: other shop' }).waitFor()
  } finally {
    await first.close()
  }
})
