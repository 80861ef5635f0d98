import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/launcher.ts'
import { dropPaths } from '../../parts/window/drop-paths.ts'

/** A picture of one dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

declare global {
  interface Window {
    readOn?: () => void
  }
}

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-late-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'data.csv'), 'a,b\n')
    writeFileSync(join(folder, 'dot.png'), PNG)
    return folder
  })
  .extend('go', { scope: 'file' }, ({ desktop: { page } }) => async (hash: string) => {
    await page.evaluate(to => location.assign(to), hash)
  })
  .extend('chooseFolder', { scope: 'file' }, ({ desktop: { page } }) => async (path: string) => {
    await page.getByRole('button', { name: /^Folder/ }).click()
    await page.getByRole('combobox', { name: 'Folder' }).fill(path)
    await page.keyboard.press('Escape')
  })
  .extend('failStart', { scope: 'file' }, ({ desktop: { page }, field, go, chooseFolder }) => {
    /** @returns the address of a start that failed */
    return async (text: string, file: string | null) => {
      await go('#/')
      await field().fill(text)
      await chooseFolder('/nowhere/at/all')
      if (file) {
        await page.getByLabel('Files', { exact: true }).setInputFiles(file)
        await page.getByRole('button', { name: 'Remove data.csv' }).waitFor()
      }
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByRole('heading', { name: 'The conversation was not started' }).waitFor()
      return new URL(page.url()).hash
    }
  })

test('a picture that is read while another task takes the place comes back with the task it was added to', async ({
  desktop: { page },
  folder,
  field,
  go,
  failStart,
}) => {
  const failed = await failStart('Do the first thing', null)
  await go('#/')
  await field().fill('Look at this')
  await page.evaluate(() => {
    const read = FileReader.prototype.readAsDataURL
    FileReader.prototype.readAsDataURL = function (file) {
      FileReader.prototype.readAsDataURL = read
      window.readOn = () => read.call(this, file)
    }
  })
  await dropPaths(page, field(), [join(folder, 'dot.png')])
  await page.waitForFunction(() => window.readOn !== undefined)
  await go(failed)
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => field().inputValue()).toBe('Do the first thing')
  await page.evaluate(() => window.readOn?.())
  await dropPaths(page, field(), [join(folder, 'data.csv')])
  await page.getByRole('button', { name: 'Remove data.csv' }).click()
  expect(await page.getByRole('button', { name: 'Remove dot.png' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Put it back' }).click()
  await page.getByRole('button', { name: 'Remove dot.png' }).click()
  expect(await field().inputValue()).toBe('Look at this')
})

test('a file of a start that is taken up twice is in one task, and the start keeps it', async ({
  desktop: { page },
  folder,
  field,
  go,
  failStart,
}) => {
  const failed = await failStart('Read this', join(folder, 'data.csv'))
  const file = page.getByRole('button', { name: 'Remove data.csv' })
  const discarded: string[] = []
  page.on('request', request => {
    if (request.method() === 'DELETE') discarded.push(request.url())
  })
  await page.getByRole('link', { name: 'Change the task' }).click()
  await field().fill('Read this well')
  await go(failed)
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => field().inputValue()).toBe('Read this')
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expect.poll(() => field().inputValue()).toContain('Read this well')
  await file.waitFor()
  await go(failed)
  await page.getByRole('link', { name: 'Change the task' }).click()
  await expect.poll(() => field().inputValue()).toBe('Read this')
  await file.click()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expect.poll(() => field().inputValue()).toContain('Read this well')
  expect(await file.count()).toBe(0)
  expect(discarded).toEqual([])
})

test('a start that answers late leaves the task that is written meanwhile, and the page, as they are', async ({
  desktop: { page },
  field,
  go,
  chooseFolder,
  model,
  onTestFinished,
}) => {
  const starts = '**/api/v1/app-conversations'
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  onTestFinished(() => page.unroute(starts))
  onTestFinished(() => release())
  await page.route(starts, async route => {
    await released
    await route.continue()
  })
  model.setScript([{ text: 'It is done.' }])
  const asked = model.requests.length
  await go('#/')
  await chooseFolder('')
  await field().fill('Do this')
  const sent = page.waitForRequest(starts)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await sent
  await go('#/sandboxes')
  await page.getByRole('heading', { name: 'Sandboxes' }).waitFor()
  await go('#/')
  await field().fill('Then do that')
  const answered = page.waitForResponse(starts)
  release()
  await answered
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBeGreaterThan(asked)
  expect(new URL(page.url()).hash).toBe('#/')
  expect(await field().inputValue()).toBe('Then do that')
  await page.reload()
  await expect.poll(() => field().inputValue()).toBe('Then do that')
})
