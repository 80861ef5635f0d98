import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect } from 'vitest'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { it as base } from '../../fixtures/window.ts'
import { aConversation } from '../../parts/service/store.ts'
import { newEvent } from '../../parts/value/agent-event.ts'
import { look } from '../../parts/window/look.ts'
import { nextDownload } from '../../parts/window/next-download.ts'
import { aComputer, type Computer, exported } from '../../transfer/computer.ts'

const test = base.extend('settings', { scope: 'file' }, {})

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-transfer-'))
mkdirSync(join(FOLDER, 'project'))
writeFileSync(join(FOLDER, 'project', 'jar.txt'), 'quinces\n')
/** The working folder of the other computer's conversation. */
const PACKED = ['-C', FOLDER, '-cf', '-', 'project']
const PASSPHRASE = 'correct horse battery'

let other: Computer
beforeAll(() => {
  other = aComputer(undefined, undefined, { readFolder: async () => Readable.from([execFileSync('tar', PACKED)]) })
})
afterAll(async () => {
  await other.remove()
  rmSync(FOLDER, { recursive: true, force: true })
})

test('everything is exported under a passphrase, and a file of another computer is read, added and gone on with', async ({
  desktop,
}) => {
  const { page, service } = desktop
  await service.client.call(createSecretV1, { body: { name: 'NPM_TOKEN', value: 'canary-of-npm' } })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }).click()
  const group = page.getByRole('region', { name: 'Move to another computer' })

  await group.getByRole('button', { name: 'Export …' }).click()
  const choices = page.getByRole('dialog', { name: 'Export everything' })
  await choices.getByText(/^Files in sandboxes, checkpoints/).waitFor()
  await choices.getByRole('checkbox', { name: 'With the working folders of conversations' }).click()
  await choices.getByText(/what may be secret, such as \.env files/).waitFor()
  await choices.getByRole('checkbox', { name: 'With the values of keys and secrets, encrypted' }).click()
  await choices.getByLabel('Passphrase', { exact: true }).fill('short')
  await choices.getByRole('button', { name: 'Export' }).click()
  await choices.getByText('Enter at least 12 characters, 6 of them different.').waitFor()
  await look(desktop, 'settings-export')
  await choices.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await choices.getByLabel('Passphrase again').fill(PASSPHRASE)
  await choices.getByRole('button', { name: 'Export' }).click()
  const ready = page.getByRole('dialog', { name: 'The file is ready' })
  await ready.waitFor()
  const path = join(FOLDER, 'mine.atelier-data.zip')
  const saved = nextDownload(desktop, path)
  await ready.getByRole('button', { name: 'Save' }).click()
  expect(await saved).toMatch(/^completed Atelier .*\.atelier-data\.zip$/)
  const text = readFileSync(path).toString('latin1')
  expect(text).toContain('secret-values.json')
  expect(text).not.toContain('canary-of-npm')

  const input = page.getByLabel('Exported file')
  await input.setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') })
  const importing = page.getByRole('dialog', { name: 'Import', exact: true })
  await importing.getByText('This file is not an Atelier export').waitFor()
  await look(desktop, 'settings-import-refused')
  await importing.getByRole('button', { name: 'Close' }).last().click()

  const { id } = aConversation({ title: 'Preserves' })
  other.conversations.insert(aConversation({ id, title: 'Preserves', pinned_at: '2026-11-01T10:00:00.000Z' }))
  other.eventLog.appendAll(id, [newEvent(0), newEvent(1)])
  const { bytes } = await exported(other, { workingFolders: true })
  await input.setInputFiles({ name: 'theirs.zip', mimeType: 'application/zip', buffer: bytes })
  const contents = page.getByRole('dialog', { name: 'Add theirs.zip?' })
  await contents.getByText('1 conversation', { exact: true }).waitFor()
  await contents.getByText('1 working folder', { exact: true }).waitFor()
  await look(desktop, 'settings-import-contents')
  await contents.getByRole('button', { name: 'Add' }).click()
  const result = page.getByRole('dialog', { name: 'The import is complete' })
  await result.getByText('1 conversation was added.').waitFor()
  await look(desktop, 'settings-import-result')
  await result.getByRole('button', { name: 'Close' }).last().click()
  expect(await service.client.call(listAppConversations, { query: { ids: [id] } })).toMatchObject([
    { title: 'Preserves', pinned_at: '2026-11-01T10:00:00.000Z' },
  ])

  await page
    .getByRole('link', { name: /Preserves/ })
    .first()
    .click()
  await page.getByText('This conversation has no sandbox.').waitFor()
  await look(desktop, 'conversation-from-another-computer')
  await page.getByRole('button', { name: 'Go on in a new sandbox' }).click()
  const goesOn = async () => {
    const found = await service.client.call(listAppConversations, { query: {} })
    return 'items' in found ? found.items.find(({ forked_from_conversation_id: from }) => from === id) : undefined
  }
  await expect.poll(goesOn).toBeTruthy()
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('treeitem', { name: 'jar.txt' }).waitFor()
})
