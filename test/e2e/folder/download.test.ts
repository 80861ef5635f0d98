import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'
import { nextDownload } from '../../parts/window/next-download.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-downloads-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('started', { scope: 'file' }, ({ desktop }) => startConversation(desktop.service, { title: 'Downloads' }))
  .extend('choose', { scope: 'file' }, ({ desktop: { page } }) => async (name: string, item: string) => {
    await page.getByRole('treeitem').filter({ hasText: name }).first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
  })

test.beforeAll(async ({ desktop: { page }, started }) => {
  const script = 'mkdir docs && echo inner >docs/a.txt && echo plain >"my file.txt" && truncate -s 4G large.bin'
  expect((await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })).printed).toBe('')
  await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('treeitem').filter({ hasText: 'large.bin' }).waitFor()
})

test('a file and a folder are written to the disk without passing through the page', async ({
  desktop,
  folder,
  choose,
}) => {
  const { page } = desktop
  const inPage: string[] = []
  page.on('request', request => inPage.push(request.url()))
  const file = nextDownload(desktop, join(folder, 'file'))
  await choose('my file.txt', 'Download')
  expect(await file).toBe('completed my file.txt')
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('plain\n')
  await page.getByText('Downloaded my file.txt').waitFor()

  const archive = nextDownload(desktop, join(folder, 'archive'))
  await choose('docs', 'Download as ZIP')
  expect(await archive).toBe('completed docs.zip')
  expect(readFileSync(join(folder, 'archive')).subarray(0, 2).toString()).toBe('PK')
  expect(inPage.filter(url => url.includes('/files/content'))).toEqual([])
})

test('a large download says how far it is, and is cancelled without a trace', async ({ desktop, folder, choose }) => {
  const { page } = desktop
  const download = nextDownload(desktop, join(folder, 'large'))
  await choose('large.bin', 'Download')
  await page.getByText(/^Downloading large\.bin: .+ of 4/).waitFor()
  await look(desktop, 'files-downloading', { narrow: false })
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await download).toBe('cancelled large.bin')
  await page.getByText(/^Downloading large\.bin/).waitFor({ state: 'detached' })
  await expect.poll(() => existsSync(join(folder, 'large'))).toBe(false)
})

test('a file that is gone is said to be so, and nothing is written', async ({ desktop, folder, choose, started }) => {
  const { page } = desktop
  await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script: 'rm "my file.txt"' })
  await choose('my file.txt', 'Download')
  await page.getByText('There is nothing at /workspace/project/my file.txt in the sandbox').first().waitFor()
  expect(readdirSync(folder).sort()).toEqual(['archive', 'file'])
})
