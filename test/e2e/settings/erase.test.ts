import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright'
import { expect } from 'vitest'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { ERASE_CONFIRMATION, eraseStorage } from '../../../server/api/v1/system/storage.ts'
import { isRunning } from '../../../server/discovery-file.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, openApp } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { filesWith, keyringValues } from '../../parts/secret/kept-secrets.ts'
import { newDataDir, removeDataDir, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const DRAFT = 'canary-of-a-draft'
const SAID = 'canary-of-a-conversation'
const KEY = 'sk-canary-of-a-key'

const test = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await startModelServer({ script: () => ({ text: 'Done.' }) })
    onCleanup(() => model.close())
    return model
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/gpt-5',
    llm_base_url: model.url.openai,
    llm_api_key: KEY,
  }))
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, dataDir }) => ({ env: keyring.env, dataDir }))

test('old conversations go by a rule that says first what it does', async ({ desktop }) => {
  const { page, service } = desktop
  await startConversation(service, { title: 'Preserves', initial_message: said('One') })
  await page.evaluate(() => location.assign('#/settings/storage'))
  const days = page.getByRole('textbox', { name: 'Delete after days without use' })
  await days.fill('0')
  await page.getByRole('textbox', { name: 'Archive after days without use' }).fill('30')
  await page.getByText('Give a whole number of days').first().waitFor()
  await days.fill('365')
  await page.getByText('Saving deletes nothing at once.').waitFor()
  await look(desktop, 'settings-retention')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByText('Saving deletes nothing at once.').count()).toBe(0)
})

test('all data is deleted once its word is typed, and the app begins as on the first day', async ({
  desktop,
  dataDir,
  keyring,
}) => {
  const { page, service } = desktop
  const home = keyring.env.HOME ?? homedir()
  const copy = join(home, '.agents', 'skills', 'codex-instructions.md')
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, 'Be brief.')
  const autostart = join(keyring.env.XDG_CONFIG_HOME ?? '', 'autostart')
  await page.evaluate(() => window.atelier?.changeBackground({ startAtLogin: true, keepRunning: true }))
  expect(readdirSync(autostart)).toEqual(['atelier.desktop'])
  const started = await startConversation(service, { title: 'Preserves', initial_message: said(SAID) })
  await page.evaluate(id => location.assign(`#/conversations/${id}`), started.app_conversation_id)
  await page.getByRole('textbox', { name: 'Message' }).fill(DRAFT)
  // Chromium writes it when it has time.
  await expect.poll(() => filesWith(join(dataDir, 'window'), DRAFT)).not.toEqual([])
  expect(filesWith(dataDir, SAID)).not.toEqual([])
  const values = await keyringValues(keyring.env)
  expect(values).toContain(KEY)

  await page.evaluate(() => location.assign('#/settings/storage'))
  await page.getByRole('button', { name: 'Delete all data …' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete all data?' })
  const confirm = dialog.getByRole('button', { name: 'Delete all data' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByText('~/.agents/skills/codex-instructions.md').waitFor()
  await look(desktop, 'settings-erase')
  await dialog.getByRole('textbox').fill('delete')
  const before = appIn(dataDir)
  const ended = await desktop.endedBy(() => confirm.click())
  expect(ended).toEqual([0, null])
  const found = await service.client.call(searchAppConversations, { query: {} }).catch(error => error.status)
  expect(found).not.toHaveProperty('items')

  // It is there again by itself, and its window shows the beginning.
  await expect.poll(() => [before, undefined].includes(appIn(dataDir))).toBe(false)
  const port = join(dataDir, 'window', 'DevToolsActivePort')
  await expect.poll(() => existsSync(port)).toBe(true)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readFileSync(port, 'utf8').split('\n')[0]}`)
  const pages = () => browser.contexts().flatMap(context => context.pages())
  await expect.poll(() => pages().length).toBe(1)
  await pages()[0]?.getByRole('button', { name: 'Skip for now' }).waitFor()
  await browser.close()
  await endApp(appIn(dataDir))
  expect(filesWith(dataDir, DRAFT)).toEqual([])
  expect(filesWith(dataDir, SAID)).toEqual([])
  expect(readdirSync(autostart)).toEqual([])
  expect(existsSync(copy)).toBe(true)
  // What is in the keyring now is the key of the new beginning.
  const kept = accounts(await keyringValues(keyring.env))
  for (const { password } of accounts(values)) expect(kept.map(item => item.password)).not.toContain(password)
  expect(kept.length).toBeLessThanOrEqual(1)

  const again = await startDesktopApp({ env: keyring.env, dataDir })
  try {
    await again.page.getByRole('button', { name: 'Skip for now' }).waitFor()
    await look(again, 'first-run-after-erase')
    expect(await again.page.evaluate(async () => (await window.atelier?.background())?.keepRunning)).toBe(false)
  } finally {
    await again.close()
  }
})

test('an app that is killed in between deletes the rest at its next start', async ({ settings, dataDir, keyring }) => {
  const options = { env: keyring.env, dataDir }
  const killed = await openApp(options, settings)
  await startConversation(killed.service, { title: 'Jam', initial_message: said(SAID) })
  await killed.page.evaluate(draft => localStorage.setItem('atelier.draft', draft), DRAFT)
  await expect.poll(() => filesWith(join(dataDir, 'window'), DRAFT)).not.toEqual([])
  await killed.service.client.call(eraseStorage, { body: { confirmation: ERASE_CONFIRMATION } })
  await killed.kill()
  expect(filesWith(dataDir, SAID)).not.toEqual([])

  const next = await startDesktopApp(options)
  try {
    await next.page.getByRole('button', { name: 'Skip for now' }).waitFor()
    expect(filesWith(dataDir, SAID)).toEqual([])
    expect(filesWith(dataDir, DRAFT)).toEqual([])
    expect(await keyringValues(keyring.env)).not.toContain(KEY)
    expect(readdirSync(dataDir).filter(name => name.startsWith('erasing'))).toEqual([])
  } finally {
    await next.close()
  }
})

/** The process that has the window's folder, as Chromium's lock on it says; undefined for none. */
function appIn(dataDir: string): number | undefined {
  try {
    return Number(/-(\d+)$/.exec(readlinkSync(join(dataDir, 'window', 'SingletonLock')))?.[1])
  } catch {
    return undefined
  }
}

async function endApp(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('No app has the folder.')
  process.kill(pid, 'SIGTERM')
  while (isRunning(pid)) await delay(5)
}

function accounts(values: string): { account: string; password: string }[] {
  return JSON.parse(values)
}
