import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('programs', { scope: 'file' }, ({}, { onCleanup }) => {
    const programs = mkdtempSync(join(tmpdir(), 'atelier-editors-'))
    writeFileSync(join(programs, 'code'), `#!/bin/sh\nprintf '%s\\n' "$@" >"${programs}/said"\n`)
    chmodSync(join(programs, 'code'), 0o755)
    onCleanup(() => rmSync(programs, { recursive: true, force: true }))
    return programs
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, programs }) => ({
    env: { ...keyring.env, PATH: `${programs}:${process.env.PATH}` },
  }))
  .extend('started', { scope: 'file' }, ({ desktop }) => startConversation(desktop.service, {}))
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('run', { scope: 'file' }, ({ sandbox }) => (script: string) => {
    return runScript(sandbox, { cwd: HERE, script })
  })
  .extend('row', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('treeitem').filter({ hasText: name }).first()
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('dialog', { name, exact: true })
  })

const HERE = '/workspace/project'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

test.beforeAll(async ({ run, desktop, started, row }) => {
  await run(`git init -q .; echo 'dist/' >.gitignore; mkdir -p src/deep dist; echo x >dist/out.js
    printf 'export const price: number = 3 // cents\\n' >src/shop.ts; echo inner >src/deep/inner.txt
    printf '# Title\\n\\nSome *prose*.\\n' >README.md; printf 'name,price\\ntea,3\\n"a, b",4\\n' >table.csv
    echo ${PIXEL} | base64 -d >dot.png; printf '\\000\\001binary' >raw.bin
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>window.broken=1</script><rect width="40" height="40" fill="red"/></svg>' >drawing.svg
    printf '<script>window.broken=1</script>' >page.html; ln -s /etc/hosts hosts; : >"$(printf 'two\\nlines')"`)
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await desktop.page.getByRole('tab', { name: 'Files' }).click()
  await row('src').waitFor()
})

test('the tree is gone through by keyboard, and shows names as they are', async ({ desktop, row }) => {
  const tree = desktop.page.getByRole('tree', { name: 'Files of the sandbox' })
  await tree.focus()
  await desktop.page.keyboard.press('Home')
  await desktop.page.keyboard.type('src')
  await desktop.page.keyboard.press('ArrowRight')
  await row('shop.ts').waitFor()
  await row('two\\nlines').waitFor()
  await look(desktop, 'files-tree')
  // A narrow window has no panel: the tree is another one, with the same folders open.
  await row('shop.ts').waitFor()
  await tree.focus()
  await desktop.page.keyboard.type('src')
  await desktop.page.keyboard.press('ArrowLeft')
  await row('shop.ts').waitFor({ state: 'detached' })
})

test('a file is edited in its colours and saved; an edit of the agent in between is a conflict', async ({
  desktop,
  row,
  dialog,
  run,
}) => {
  const { page } = desktop
  await row('src').click()
  await row('shop.ts').click()
  const editor = dialog('shop.ts').getByRole('textbox', { name: 'Text of shop.ts' })
  await editor.waitFor()
  await expect.poll(() => dialog('shop.ts').locator('.cm-line span').count()).toBeGreaterThan(2)
  await editor.press('Control+Home')
  await editor.pressSequentially('// mine ')
  await dialog('shop.ts').getByText('Changed, not saved').waitFor()
  await run('echo theirs >src/shop.ts')
  await editor.press('Control+s')
  await dialog('shop.ts').getByText('The file has changed in the sandbox').waitFor()
  await dialog('shop.ts').getByRole('button', { name: 'Show difference' }).click()
  await look(desktop, 'files-conflict')
  await dialog('shop.ts').getByRole('button', { name: 'Overwrite' }).click()
  await dialog('shop.ts').getByText('Saved', { exact: true }).waitFor()
  expect((await run('cat src/shop.ts')).printed).toMatch(/^\/\/ mine export/)
  await editor.pressSequentially('x')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await dialog('shop.ts').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close without saving' }).click()
  await dialog('shop.ts').waitFor({ state: 'detached' })
})

test('images, Markdown, tables and bytes show as what they are, and nothing in them runs', async ({
  row,
  dialog,
  desktop,
}) => {
  for (const [name, sign] of [
    ['README.md', 'Title'],
    ['table.csv', 'a, b'],
    ['raw.bin', 'Binary file'],
    ['drawing.svg', '40 × 40'],
    ['page.html', 'window.broken'],
  ] as const) {
    await row(name).click()
    await dialog(name).getByText(sign).locator('visible=true').first().waitFor()
    if (name !== 'page.html') await look(desktop, `files-${name}`)
    await dialog(name).getByRole('button', { name: 'Close' }).click()
    await dialog(name).waitFor({ state: 'detached' })
  }
  expect(await desktop.page.evaluate(() => 'broken' in window)).toBe(false)
})

test('a file is made, renamed, attached, deleted and brought back', async ({ desktop, dialog, row }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('zebra.txt')
  await page.keyboard.press('Enter')
  await dialog('zebra.txt').getByRole('button', { name: 'Close' }).click()
  await row('zebra.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Attach to the message' }).click()
  await page.getByRole('button', { name: 'Remove zebra.txt' }).waitFor()
  await row('zebra.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await row('zebra.txt').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('zebra.txt').waitFor()
})

test('what was deleted stands in a list of its own, from which it is restored or removed for good', async ({
  desktop,
  row,
  run,
}) => {
  const { page } = desktop
  const deleted = page.getByRole('dialog', { name: 'Deleted files' })
  const open = () => page.getByRole('button', { name: 'Deleted files' }).click()
  await open()
  await deleted.getByText('Nothing was deleted here.').waitFor()
  // In a narrow window the panel is folded.
  await look(desktop, 'files-deleted-none', { narrow: false })
  await page.keyboard.press('Escape')
  await run('mkdir -p old && echo 1 >old/one && echo 2 >two.txt')
  await page.getByRole('button', { name: 'Refresh' }).click()
  for (const name of ['old', 'two.txt']) {
    await row(name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await row(name).waitFor({ state: 'detached' })
  }
  await open()
  await expect.poll(() => deleted.getByRole('listitem').count()).toBe(2)
  await look(desktop, 'files-deleted', { narrow: false })
  await deleted.getByRole('button', { name: 'Restore old' }).click()
  await expect.poll(() => deleted.getByRole('listitem').count()).toBe(1)
  expect((await run('cat old/one')).printed).toBe('1')
  await deleted.getByRole('button', { name: 'Empty trash …' }).click()
  await look(desktop, 'files-deleted-empty', { narrow: false })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove for good' }).click()
  await deleted.getByText('Nothing was deleted here.').waitFor()
  await deleted.getByRole('button', { name: 'Close' }).last().click()
  await row('old').waitFor()
})

test('files that are chosen are uploaded, and one that is there is asked about', async ({ desktop, row, run }) => {
  const { page } = desktop
  const choose = (text: string) =>
    page
      .getByRole('tabpanel')
      .locator('input[type=file]')
      .setInputFiles({ name: 'upload.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await row('README.md').click({ button: 'right' })
  await page.keyboard.press('Escape')
  await choose('one')
  await row('upload.txt').waitFor()
  await choose('two')
  await page.getByRole('button', { name: 'Keep both' }).click()
  await row('upload (2).txt').waitFor()
  expect((await run('cat upload.txt "upload (2).txt"')).printed).toBe('onetwo')
})

test('a file opens in an editor of this computer, which is given an address and nothing else', async ({
  row,
  desktop,
  programs,
}) => {
  await row('README.md').click({ button: 'right' })
  await desktop.page.getByRole('menuitem', { name: 'Open in VS Code' }).click()
  const said = join(programs, 'said')
  await expect
    .poll(() => existsSync(said) && readFileSync(said, 'utf8'))
    .toMatch(/^--file-uri\nvscode-remote:\/\/attached-container\+[0-9a-f]+\/workspace\/project\/README\.md\n$/)
  await row('src').click({ button: 'right' })
  await look(desktop, 'files-menu')
})
