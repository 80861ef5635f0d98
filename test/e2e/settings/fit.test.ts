import { expect } from 'vitest'
import { ar } from '../../../renderer/language/ar/catalogues.ts'
import { de } from '../../../renderer/language/de/catalogues.ts'
import { en } from '../../../renderer/language/en/catalogues.ts'
import { ja } from '../../../renderer/language/ja/catalogues.ts'
import { SETTINGS_SECTIONS } from '../../../renderer/pages/settings/sections.ts'
import { startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { shownTexts, unfitting } from '../../parts/window/fit.ts'
import { keepPicture, resize } from '../../parts/window/look.ts'

type Catalogues = Record<string, Record<string, string>>

const test = base
  .extend('started', { scope: 'file' }, async ({ model, desktop }) => {
    model.setScript([tool('terminal', { command: 'echo one >one.txt; ls /nowhere' }), { text: 'There is one file.' }])
    await desktop.service.client.call(startSandbox, {})
    return startConversation(desktop.service, { title: 'Files', initial_message: said('Make a file') })
  })
  .extend('conversation', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('go', { scope: 'file' }, ({ desktop }) => async (route: string): Promise<void> => {
    await desktop.page.evaluate(address => location.assign(address), `#${route}`)
    await desktop.page.locator('main').waitFor()
    // Nothing is being loaded any more.
    await expect.poll(() => desktop.page.locator('main [aria-busy=true], main .animate-pulse').count()).toBe(0)
  })

const WIDE = { width: 1280, height: 840 }
const SIZES = [WIDE, { width: 901, height: 760 }, { width: 640, height: 760 }]
const PANEL_TABS = 7

test.for<[string, Catalogues]>([
  ['de', de],
  ['ja', ja],
  ['ar', ar],
])(
  'every page fits in %s, at every width, and has no word of English',
  { timeout: 240_000 },
  async ([language, own], { desktop, go, conversation }) => {
    const { page, service } = desktop
    await go('/settings/general')
    await service.client.call(storeSettingsV1, { body: { language } })
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
    const untranslated = englishOf(own)
    const problems: string[] = []
    const check = async (name: string) => {
      for (const size of SIZES) {
        await resize(desktop, size)
        const found = await unfitting(page)
        problems.push(...found.map(problem => `${name} at ${size.width}: ${problem}`))
        await keepPicture(page, `fit-${language}-${name}-${size.width}`)
      }
      await resize(desktop, WIDE)
      const english = (await shownTexts(page)).filter(text => untranslated.has(text))
      problems.push(...english.map(text => `${name} is in English: ${text}`))
    }
    await go('/')
    await check('launcher')
    await go('/sandboxes')
    await check('sandboxes')
    await go('/search?text=file')
    await check('search')
    await go(`/conversations/${conversation}`)
    await page.getByText('There is one file.').first().waitFor()
    const tabs = page.getByRole('tab')
    for (let index = 0; index < Math.min(PANEL_TABS, await tabs.count()); index++) {
      await tabs.nth(index).click()
      await check(`conversation-${index}`)
    }
    for (const section of SETTINGS_SECTIONS) {
      await go(`/settings/${section}`)
      await check(`settings-${section}`)
    }
    expect(problems).toEqual([])
  },
)

/** Sentences of several words that English has, and this language has in another form. */
function englishOf(own: Catalogues): ReadonlySet<string> {
  const theirs = new Set(Object.values(own).flatMap(catalogue => Object.values(catalogue)))
  const all = Object.values<Record<string, string>>(en).flatMap(catalogue => Object.values(catalogue))
  return new Set(all.filter(text => text.includes(' ') && !theirs.has(text)))
}
