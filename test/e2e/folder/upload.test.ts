import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/terminal.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { dropPaths } from '../../parts/window/drop-paths.ts'
import { look } from '../../parts/window/look.ts'

const LONG = { timeout: 120_000 }

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-dropped-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('started', { scope: 'file' }, ({ desktop }) => startConversation(desktop.service, { title: 'Uploads' }))
  .extend('inSandbox', { scope: 'file' }, ({ started }) => (script: string) => {
    return runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })
  })

test.beforeAll(async ({ desktop: { page }, started }) => {
  await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('tree').waitFor()
})

test(
  'a folder is uploaded as a whole; what fails is named, and is tried again',
  LONG,
  async ({ desktop, folder, inSandbox }) => {
    const { page } = desktop
    mkdirSync(join(folder, 'site', 'pages'), { recursive: true })
    for (const name of ['a.txt', 'taken', 'z.txt', 'pages/deep.txt']) writeFileSync(join(folder, 'site', name), name)
    writeFileSync(join(folder, 'site', 'huge.bin'), '')
    truncateSync(join(folder, 'site', 'huge.bin'), 100_000_001)
    expect((await inSandbox('mkdir site && printf old >site/taken && cat site/taken')).printed).toBe('old')
    await dropPaths(page, page.getByRole('tree'), [join(folder, 'site')])
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.getByText('One file not uploaded, 4 uploaded').waitFor()
    const failed = page.getByRole('list', { name: 'Files that failed' })
    await failed.getByText('site/huge.bin').waitFor()
    await failed.getByText('A file can have at most 100 MB').waitFor()
    // It is there again after another tab.
    await page.getByRole('tab', { name: 'Details' }).click()
    await failed.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Files' }).click()
    await failed.getByText('site/huge.bin').waitFor()
    // In a narrow window the panel is folded.
    await look(desktop, 'files-upload-failed', { narrow: false })
    expect((await inSandbox('cd site && cat a.txt pages/deep.txt taken')).printed).toBe('a.txtpages/deep.txttaken')

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('One file not uploaded, 0 uploaded').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await failed.waitFor({ state: 'detached' })
    const upload = page.getByRole('button', { name: 'Upload files' })
    await expect.poll(() => upload.evaluate(element => element === document.activeElement)).toBe(true)

    mkdirSync(join(folder, 'empty', 'within'), { recursive: true })
    await dropPaths(page, page.getByRole('tree'), [join(folder, 'empty')])
    await page.getByText('No files were found, so nothing was uploaded').waitFor()
  },
)

test('what is dropped before the files are listed goes into the working directory', async ({
  desktop: { page },
  folder,
  inSandbox,
}) => {
  writeFileSync(join(folder, 'early.txt'), 'early')
  let list = () => {}
  const listed = new Promise<void>(resolve => {
    list = resolve
  })
  await page.route(
    url => url.pathname.endsWith('/files'),
    async route => {
      await listed
      await route.continue()
    },
  )
  await page.reload()
  await dropPaths(page, page.getByRole('tree'), [join(folder, 'early.txt')])
  await page.getByText('Uploaded').first().waitFor()
  list()
  expect((await inSandbox('cat early.txt')).printed).toBe('early')
  await page.getByRole('treeitem', { name: /early\.txt/ }).waitFor()
})

test('many files are asked about first, and an upload is stopped', LONG, async ({ desktop, folder, inSandbox }) => {
  const { page } = desktop
  mkdirSync(join(folder, 'many'))
  for (let index = 0; index < 6_000; index++) writeFileSync(join(folder, 'many', `f${index}`), '')
  await dropPaths(page, page.getByRole('tree'), [join(folder, 'many')])
  const question = page.getByRole('dialog', { name: /^Upload 6,000 files/ })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('The upload was stopped').waitFor()
  expect((await inSandbox('ls')).printed).not.toContain('many')

  await dropPaths(page, page.getByRole('tree'), [join(folder, 'many')])
  await question.waitFor()
  await look(desktop, 'files-upload-many', { narrow: false })
  await question.getByRole('button', { name: 'Upload files' }).click()
  await page.getByRole('progressbar', { name: /^Uploading \d+ of 6000$/ }).waitFor()
  await page.getByRole('button', { name: 'Stop the upload' }).click()
  await page.getByRole('button', { name: 'Stop the upload' }).waitFor({ state: 'detached' })
})

test(
  'a folder that is dropped on a terminal is uploaded, and its path is typed',
  LONG,
  async ({ desktop, folder, inSandbox, tab, screen, shows }) => {
    const { page } = desktop
    mkdirSync(join(folder, 'my tools'))
    writeFileSync(join(folder, 'my tools', 'run.sh'), 'echo hello')
    writeFileSync(join(folder, 'alone.txt'), 'x')
    await tab('Terminal').click()
    await page.getByRole('button', { name: 'New terminal' }).click()
    await shows('/workspace/project#')
    await dropPaths(page, screen(), [join(folder, 'my tools'), join(folder, 'alone.txt')])
    // The lines of the screen end where the panel does.
    const typed = async () => ((await screen().locator('.xterm-rows').textContent()) ?? '').replaceAll(/\s/g, '')
    await expect.poll(typed).toContain("'/workspace/project/mytools'/workspace/project/alone.txt")
    expect((await inSandbox('cat "my tools/run.sh"')).printed).toBe('echo hello')
  },
)

test(
  'where the files are is said when the terminal that they were dropped on has gone meanwhile',
  LONG,
  async ({ desktop: { page }, folder, inSandbox, screen, shows }) => {
    writeFileSync(join(folder, 'late.txt'), 'late')
    await shows('/workspace/project#')
    let goOn = () => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    await page.route(
      url => url.searchParams.get('path')?.endsWith('late.txt') ?? false,
      async route => {
        await held
        await route.continue()
      },
    )
    await dropPaths(page, screen(), [join(folder, 'late.txt')])
    await page.getByRole('progressbar', { name: /^Uploading/ }).waitFor()
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByRole('tree').waitFor()
    goOn()
    await page.getByText('What you dropped is at /workspace/project/late.txt.').waitFor()
    expect((await inSandbox('cat late.txt')).printed).toBe('late')
  },
)
