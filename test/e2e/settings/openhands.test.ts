import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { listSecrets } from '../../../server/api/v1/settings/secrets.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'
import { aFolder, FIRST_ID, firstGeneration, SECRETS, SETTINGS } from '../../transfer/openhands/a-folder.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('home', { scope: 'file' }, () => {
    const home = aFolder()
    renameSync(
      aFolder({ ...firstGeneration(), 'settings.json': SETTINGS, 'secrets.json': SECRETS }),
      join(home, '.openhands'),
    )
    return home
  })
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, home }) => ({ env: { ...keyring.env, HOME: home } }))

test('where the home folder has none, another folder is chosen', async ({ desktop, home }) => {
  const { app, page } = desktop
  const elsewhere = join(home, 'elsewhere')
  renameSync(join(home, '.openhands'), elsewhere)
  try {
    await app.evaluate(({ dialog }, folder) => {
      Object.assign(dialog, { showOpenDialog: async () => ({ canceled: false, filePaths: [folder] }) })
    }, elsewhere)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }).click()
    await page.getByRole('button', { name: 'Import from OpenHands …' }).click()
    const failed = page.getByRole('dialog', { name: 'Import', exact: true })
    await failed.getByText(/There is no such folder on this computer/).waitFor()
    await look(desktop, 'settings-import-openhands-no-folder')
    await failed.getByRole('button', { name: 'Choose another folder …' }).click()
    const contents = page.getByRole('dialog', { name: /^Add .*elsewhere\?$/ })
    await contents.getByText('1 conversation', { exact: true }).waitFor()
    await contents.getByRole('button', { name: 'Cancel' }).click()
  } finally {
    renameSync(elsewhere, join(home, '.openhands'))
  }
})

test('what OpenHands has kept is shown, added with its secrets, and read like any other conversation', async ({
  desktop,
}) => {
  const { page, service } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }).click()
  await page.getByRole('button', { name: 'Import from OpenHands …' }).click()
  const contents = page.getByRole('dialog', { name: /^Add .*\.openhands\?$/ })
  await contents.getByText('1 conversation', { exact: true }).waitFor()
  await contents.getByRole('checkbox', { name: 'Take over the values of keys and secrets' }).click()
  expect(await contents.getByLabel('Passphrase').count()).toBe(0)
  await look(desktop, 'settings-import-openhands')
  await contents.getByRole('button', { name: 'Add' }).click()
  const result = page.getByRole('dialog', { name: 'The import is complete' })
  await result.getByText('1 conversation was added.').waitFor()
  await look(desktop, 'settings-import-openhands-result')
  await result.getByRole('button', { name: 'Close' }).last().click()

  const { custom_secrets } = await service.client.call(listSecrets, {})
  expect(custom_secrets.map(({ name }) => name)).toContain('NPM_TOKEN')
  expect(await service.client.call(listAppConversations, { query: { ids: [FIRST_ID] } })).toMatchObject([
    { title: 'The failing test' },
  ])
  await page
    .getByRole('link', { name: /The failing test/ })
    .first()
    .click()
  await page.getByText('Fix the failing test').first().waitFor()
  await look(desktop, 'conversation-from-openhands')
})

test('instructions for other agents are found, imported and given up', async ({ desktop, home }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }).click()
  const dialog = page.getByRole('dialog', { name: 'Instructions for other agents' })
  const open = () => page.getByRole('button', { name: 'Import instructions …' }).click()
  await open()
  await dialog.getByText(/There are none on this computer\. Looked for: ~\/\.claude\/CLAUDE\.md/).waitFor()
  await look(desktop, 'settings-instructions-none')
  await page.keyboard.press('Escape')
  for (const path of ['.claude/CLAUDE.md', '.codex/AGENTS.md']) {
    mkdirSync(dirname(join(home, path)))
    writeFileSync(join(home, path), 'Write the tests first.')
  }
  await open()
  const claude = dialog.getByRole('listitem', { name: 'Claude Code' })
  await claude.getByRole('button', { name: 'Import' }).click()
  await claude.getByText('Imported as ~/.agents/skills/claude-code-instructions.md.').waitFor()
  const copy = join(home, '.agents/skills/claude-code-instructions.md')
  expect(readFileSync(copy, 'utf8')).toContain('Write the tests first.')
  await look(desktop, 'settings-instructions')
  await claude.getByRole('button', { name: 'Remove' }).click()
  await claude.getByRole('button', { name: 'Import' }).waitFor()
  expect(existsSync(copy)).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
})
