import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { dropPaths } from '../../parts/window/drop-paths.ts'
import { look } from '../../parts/window/look.ts'

const LONG = { timeout: 120_000 }
const STRANGE = `it's "a" $(name); ü.bin`
const UPLOADS = /%2Ftmp%2Fattachments%2F/
const BYTES = randomBytes(5_000)

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-attached-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('started', { scope: 'file' }, ({ desktop }) => startConversation(desktop.service, { title: 'Attachments' }))
  .extend('inSandbox', { scope: 'file' }, ({ started }) => (script: string) => {
    return runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })
  })
  .extend('message', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('textbox', { name: 'Message' })
  })
  .extend('chips', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  })

test.beforeAll(async ({ desktop: { page }, started, message }) => {
  await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await message().waitFor()
})

test(
  'files of any kind are uploaded beside the workspace, and the message names their paths',
  LONG,
  async ({ desktop, folder, message, chips, inSandbox, model }) => {
    const { page } = desktop
    model.setScript([{ text: 'I have read them.' }])
    writeFileSync(join(folder, STRANGE), BYTES)
    writeFileSync(join(folder, 'data.csv'), 'a,b\n')
    await dropPaths(page, message(), [join(folder, STRANGE), join(folder, 'data.csv')])
    await page.getByRole('button', { name: 'Remove data.csv' }).waitFor()
    // The same name once more, by the button.
    await page.locator('input[type=file][aria-label="Attached files"]').setInputFiles(join(folder, 'data.csv'))
    await expect.poll(() => page.getByRole('button', { name: 'Remove data.csv' }).count()).toBe(2)
    await message().fill('Read these')
    await look(desktop, 'composer-attachments')

    await page.reload()
    await expect.poll(() => chips().count()).toBe(3)
    expect(await message().inputValue()).toBe('Read these')

    await message().press('Enter')
    await page.getByText('I have read them.').waitFor()
    expect(await chips().count()).toBe(0)
    const paths = [STRANGE, 'data.csv', 'data (2).csv'].map(name => `/tmp/attachments/${name}`)
    const lines = paths.map(path => `- ${JSON.stringify(path)}`).join('\n')
    const texts = JSON.stringify(model.requests.at(-1)?.body)
    expect(texts).toContain(JSON.stringify(`Read these\n\nAttached files:\n${lines}`).slice(1, -1))

    const sums = await inSandbox(
      'cd /tmp/attachments && cat *.bin | sha256sum && cat "data.csv" "data (2).csv"; ls -A /workspace/project',
    )
    const sum = createHash('sha256').update(BYTES).digest('hex')
    expect(sums.printed.replace(/ +-/, '').split('\n').slice(0, 3)).toEqual([sum, 'a,b', 'a,b'])
    expect(sums.printed).not.toMatch(/attachments/)
  },
)

test(
  'an upload that fails holds up the message until it is tried again or removed',
  LONG,
  async ({ desktop, folder, message, chips, inSandbox }) => {
    const { page } = desktop
    writeFileSync(join(folder, 'notes.txt'), 'notes')
    writeFileSync(join(folder, 'other.txt'), 'other')
    await page.route(UPLOADS, route => route.abort())
    await message().fill('Not lost')
    await dropPaths(page, message(), [join(folder, 'notes.txt'), join(folder, 'other.txt')])
    const again = page.getByRole('button', { name: 'Try again: notes.txt' })
    await again.waitFor()
    await page.getByRole('button', { name: 'Try again: other.txt' }).waitFor()
    await expect.poll(() => chips().first().getByRole('alert').textContent()).toMatch(/\w/)
    await message().press('Enter')
    expect(await message().inputValue()).toBe('Not lost')
    await look(desktop, 'composer-attachment-failed')
    await page.unroute(UPLOADS)
    await again.click()
    await again.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove other.txt' }).click()
    await expect.poll(() => chips().count()).toBe(1)
    await expect.poll(async () => (await inSandbox('cat /tmp/attachments/notes.txt')).printed).toBe('notes')
    // The focus goes to what is left, and then to the text.
    const remove = page.getByRole('button', { name: 'Remove notes.txt' })
    expect(await remove.evaluate(element => element === document.activeElement)).toBe(true)
    await remove.press('Enter')
    await expect.poll(() => message().evaluate(element => element === document.activeElement)).toBe(true)
  },
)

test(
  'a folder and a file that is too large are refused in words, and an upload is cancelled',
  LONG,
  async ({ desktop, folder, message, chips }) => {
    const { page } = desktop
    mkdirSync(join(folder, 'site'))
    writeFileSync(join(folder, 'huge.bin'), '')
    truncateSync(join(folder, 'huge.bin'), 100_000_001)
    writeFileSync(join(folder, 'slow.txt'), 'slow')
    await page.route(UPLOADS, () => {})
    await dropPaths(
      page,
      message(),
      ['site', 'huge.bin', 'slow.txt'].map(name => join(folder, name)),
    )
    await page.getByText('huge.bin was not added. A file can have at most 100 MB').waitFor()
    await page.getByText('site was not added. A folder cannot be attached').waitFor()
    await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor()
    await look(desktop, 'composer-attachment-sending')
    await page.getByRole('button', { name: 'Cancel the upload of slow.txt' }).click()
    await expect.poll(() => chips().count()).toBe(0)
    expect(await message().inputValue()).toBe('Not lost')
  },
)
