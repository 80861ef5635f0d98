import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { NewEvent } from '../../server/api/event/events.ts'
import { it as base } from '../fixtures/window.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-search-'))
    fill(dataDir)
    onCleanup(() => rmSync(dataDir, { recursive: true, force: true }))
    return dataDir
  })
  // A folder that holds conversations has been set up.
  .extend('settings', { scope: 'file' }, null)
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, dataDir }) => ({ env: keyring.env, dataDir }))
  .extend('goTo', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('combobox', { name: 'Go to' })
  })
  .extend('find', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page
      .getByRole('searchbox', { name: 'Find in this conversation' })
      .or(desktop.page.getByRole('textbox', { name: 'Find in this conversation' }))
  })

const LONG = 10_000

/** A long conversation in which rare words stand near its beginning, and others by name. */
function fill(dataDir: string): void {
  const store = openStore(dataDir)
  const long = aConversation({ title: 'Make the slow parser fast', selected_repository: 'octo/tables' })
  store.conversations.insert(long)
  const events = Array.from({ length: LONG }, (_, index) => newEvent(index))
  events[100] = said('Look for the needle in the haystack of tables, please.')
  events[203] = withOutput(events[203], `${'line of a log\n'.repeat(30)}here a quokka hides\n`)
  store.eventLog.appendAll(long.id, events)
  for (let number = 0; number < 30; number++) {
    const other = aConversation({ title: `Parser ${number}`, selected_repository: 'octo/other' })
    store.conversations.insert(other)
    store.eventLog.append(other.id, said(`A haystack of number ${number} is asked for.`))
  }
  const notes = aConversation({ title: 'Tidy my notes', source_folder: '/home/me/notes' })
  store.conversations.insert(notes)
  store.eventLog.append(notes.id, said('There is hay in them, and a haystack.'))
  store.close()
}

function said(text: string): NewEvent {
  const llm_message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { kind: 'MessageEvent', source: 'user', llm_message, activated_skills: [], extended_content: [] }
}

function withOutput(event: NewEvent | undefined, text: string): NewEvent {
  if (event?.kind !== 'ObservationEvent') throw new Error('Every second event is an observation.')
  return { ...event, observation: { ...event.observation, content: [{ type: 'text', text }] } }
}

test('the palette finds what was said, and a hit opens where it stands', async ({ desktop, goTo }) => {
  const { page } = desktop
  await page.getByRole('link', { name: /Make the slow parser fast/ }).waitFor()
  await page.keyboard.press('Control+k')
  await goTo().fill('needle')
  const hit = page.getByRole('option', { name: /needle in the haystack/ })
  await hit.waitFor()
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('needle')
  await look(desktop, 'search-palette')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Make the slow parser fast' }).waitFor()
  const message = page.getByText('Look for the needle in the haystack')
  await message.waitFor()
  await expect.poll(() => isInSight(page, 'Look for the needle')).toBe(true)
  await look(desktop, 'search-jump')
  expect(await page.evaluate(() => location.hash)).not.toContain('seq')
})

test('the selected row of the palette is the first, and in sight, whatever comes later', async ({ desktop, goTo }) => {
  const { page } = desktop
  await page.keyboard.press('Control+k')
  await goTo().fill('parser 5')
  await page.getByRole('option', { name: /Search all conversations/ }).waitFor()
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('Parser 5')
  await expect.poll(() => page.getByRole('listbox').evaluate(list => list.scrollTop)).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Parser 5', exact: true }).waitFor()
})

test('a conversation is searched to its beginning, and what is folded away is unfolded', async ({ desktop, find }) => {
  const { page } = desktop
  await page.getByRole('link', { name: /Make the slow parser fast/ }).click()
  await page.getByRole('heading', { name: 'Make the slow parser fast' }).waitFor()
  await page.keyboard.press('Control+f')
  await find().fill('quokka')
  await page.getByRole('status').getByText('1 of 1').waitFor()
  await page.getByText('here a quokka hides').waitFor()
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('find')?.size)).toBe(1)
  await expect.poll(() => heightOfHighlight(page)).toBeLessThan(700)
  await look(desktop, 'search-find')
  await find().fill('something')
  await page.getByRole('status').getByText('1,000 of 1,000+').waitFor()
  await find().press('Enter')
  await page.getByRole('status').getByText('999 of 1,000+').waitFor()
  await find().press('Shift+Enter')
  await page.getByRole('status').getByText('1,000 of 1,000+').waitFor()
  await find().fill('nothing of this kind')
  await page.getByRole('status').getByText('No matches').waitFor()
  await find().press('Escape')
  await expect.poll(() => find().count()).toBe(0)
})

test('the search page groups by conversation, filters, and leads to what it found', async ({ desktop, goTo }) => {
  const { page } = desktop
  await page.keyboard.press('Control+k')
  await goTo().fill('haystack')
  await page.getByRole('option', { name: /Search all conversations for “haystack”/ }).click()
  await page.getByRole('heading', { name: 'Search conversations' }).waitFor()
  await page.getByRole('region', { name: 'Make the slow parser fast' }).waitFor()
  await page.getByRole('region', { name: 'Parser 7' }).waitFor()
  await look(desktop, 'search-page')
  const place = page.getByRole('combobox', { name: 'Repository or folder' })
  await place.click()
  await look(desktop, 'search-places', { narrow: false })
  await page.getByRole('option', { name: 'notes', exact: false }).click()
  await page.getByRole('region', { name: 'Tidy my notes' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Parser 7' }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Make the slow parser fast' }).count()).toBe(0)
  await place.click()
  await page.getByRole('option', { name: 'tables' }).click()
  await expect.poll(() => page.getByRole('region', { name: 'Parser 7' }).count()).toBe(0)
  await page.getByRole('region', { name: 'Make the slow parser fast' }).waitFor()
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Commands' }).click()
  await page.getByText('Nothing found').waitFor()
  await look(desktop, 'search-page-nothing')
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Messages' }).click()
  await page.getByRole('link', { name: /needle in the haystack/ }).click()
  await page.getByText('Look for the needle in the haystack').waitFor()
})

/** Where the first marked word stands in the window: its output scrolls by itself. */
function heightOfHighlight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get('find') ?? []
    return range instanceof Range ? range.getBoundingClientRect().bottom : Number.POSITIVE_INFINITY
  })
}

function isInSight(page: Page, text: string): Promise<boolean> {
  return page
    .getByText(text)
    .first()
    .evaluate(element => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
}
