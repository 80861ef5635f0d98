import { expect } from 'vitest'
import { ACTION_MS } from '../../renderer/ui/overlay/toast.ts'
import { searchAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await startModelServer({ script: () => ({ text: 'Done.' }) })
    onCleanup(() => model.close())
    return model
  })
  .extend('list', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('navigation', { name: 'Conversations' })
  })
  .extend('rows', { scope: 'file' }, ({ list }) => () => {
    return list().getByRole('link')
  })
  .extend('row', { scope: 'file' }, ({ rows }) => (title: string) => {
    return rows().filter({ hasText: title })
  })
  .extend('titles', { scope: 'file' }, ({ rows }) => async () => {
    return (await rows().allTextContents()).map(text => /First|Second|Third|New name/.exec(text)?.[0])
  })
  .extend('choose', { scope: 'file' }, ({ row, desktop }) => async (title: string, item: string): Promise<void> => {
    await row(title).click({ button: 'right' })
    await desktop.page.getByRole('menuitem', { name: item }).click()
  })

test.beforeAll(async ({ desktop }) => {
  const first = await startConversation(desktop.service, { title: 'First', initial_message: said('One') })
  for (const title of ['Second', 'Third']) {
    await startConversation(desktop.service, { title, sandbox_id: first.sandbox_id, initial_message: said(title) })
  }
  // A start is a row of its own for a moment.
  for (const title of ['First', 'Second', 'Third']) {
    await desktop.page.getByRole('link', { name: new RegExp(`^done ${title}`) }).waitFor()
  }
})

test('what came to rest is unread until it is opened, or marked again', async ({ row, desktop, choose }) => {
  const unread = (title: string) => row(title).getByText('unread', { exact: true }).count()
  await expect.poll(() => unread('First')).toBe(1)
  await look(desktop, 'list-unread')
  await row('First').click()
  await expect.poll(() => unread('First')).toBe(0)
  await row('Second').click()
  await choose('First', 'Mark as unread')
  await expect.poll(() => unread('First')).toBe(1)
  await choose('First', 'Mark as read')
  await expect.poll(() => unread('First')).toBe(0)
})

test('a conversation is pinned before the others, also after the window has been loaded again', async ({
  choose,
  list,
  desktop,
  row,
}) => {
  await choose('First', 'Pin')
  await list().getByRole('region', { name: 'Pinned' }).getByText('First').waitFor()
  await desktop.page.reload()
  await list().getByRole('region', { name: 'Pinned' }).getByText('First').waitFor()
  await row('First').click({ button: 'right' })
  await look(desktop, 'list-menu', { narrow: false })
  await desktop.page.getByRole('menuitem', { name: 'Unpin' }).click()
  await expect.poll(() => list().getByRole('region', { name: 'Pinned' }).count()).toBe(0)
})

test('an archived one is out of the way, comes back by undo, and is found', async ({ desktop, choose, titles }) => {
  const { page } = desktop
  await page.evaluate(() => location.assign('#/'))
  await choose('Third', 'Archive')
  await expect.poll(titles).not.toContain('Third')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toContain('Third')
  await choose('Third', 'Archive')
  await expect.poll(titles).not.toContain('Third')
  await page.getByRole('textbox', { name: 'Filter conversations' }).fill('third')
  await expect.poll(titles).toEqual(['Third'])
  await page.getByRole('textbox', { name: 'Filter conversations' }).fill('')
  await page.getByRole('button', { name: 'Filter by state' }).click()
  await page.getByRole('menuitem', { name: 'Archived' }).click()
  await expect.poll(titles).toEqual(['Third'])
  await choose('Third', 'Unarchive')
  await page.getByRole('button', { name: 'Only archived' }).click()
  await page.getByRole('menuitem', { name: 'All states' }).click()
  await expect.poll(async () => (await titles()).length).toBe(3)
})

test('conversations are grouped by where they work, and the window remembers it', async ({ desktop, list }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'Filter by state' }).click()
  await page.getByRole('menuitem', { name: 'Group by repository or folder' }).click()
  await list().getByRole('region', { name: 'No repository' }).getByText('First').waitFor()
  await page.reload()
  await list().getByRole('region', { name: 'No repository' }).getByText('First').waitFor()
  await page.getByRole('button', { name: 'Filter by state' }).click()
  await page.getByRole('menuitem', { name: 'Group by day' }).click()
  await list().getByRole('region', { name: 'Today' }).getByText('First').waitFor()
})

test('several are selected by mouse or keyboard, archived and deleted, and both can be taken back', async ({
  desktop,
  row,
  titles,
  rows,
}) => {
  const { page } = desktop
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' })
  await row('First').click({ modifiers: ['Control'] })
  await row('Third').click({ modifiers: ['Control'] })
  await bar.getByText('2 selected').waitFor()
  await look(desktop, 'list-selected')
  await bar.getByRole('button', { name: 'Archive 2 conversations' }).click()
  await expect.poll(titles).toEqual(['Second'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await titles()).length).toBe(3)
  await rows().first().focus()
  await page.keyboard.press('Shift+ArrowDown')
  await bar.getByText('2 selected').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => bar.count()).toBe(0)
  await rows().first().focus()
  await page.keyboard.press('Control+a')
  await bar.getByText('3 selected').waitFor()
  await row('Second').click({ button: 'right' })
  await look(desktop, 'list-selected-menu', { narrow: false })
  await page.getByRole('menuitem', { name: 'Delete 3 conversations' }).click()
  await look(desktop, 'list-selected-delete', { narrow: false })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(titles).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await titles()).length).toBe(3)
  await row('First').click({ modifiers: ['Control'] })
  await row('Third').click({ modifiers: ['Shift'] })
  await bar.waitFor()
  await page.keyboard.press('Escape')
})

test('a conversation has a window of its own, once, beside the main one', async ({ desktop, choose, row, list }) => {
  const { app, page } = desktop
  const opened = app.waitForEvent('window')
  await choose('Second', 'Open in a new window')
  const beside = await opened
  await beside.getByRole('textbox', { name: 'Message' }).waitFor()
  expect(await beside.title()).toContain('Second')
  await expect.poll(() => beside.getByRole('navigation', { name: 'Conversations' }).count()).toBe(0)
  await choose('Second', 'Open in a new window')
  await choose('First', 'Open in a new window')
  const shows = async (title: string) =>
    (await Promise.all(app.windows().map(each => each.title()))).some(one => one.includes(title))
  await expect.poll(() => shows('First')).toBe(true)
  expect(app.windows()).toHaveLength(3)
  await look({ app, page: beside }, 'conversation-window', { narrow: false })
  // It works by itself: what is said in it is in the other windows, too.
  await beside.getByRole('textbox', { name: 'Message' }).fill('From beside')
  await beside.keyboard.press('Enter')
  await page.bringToFront()
  await row('Second').click()
  await page.getByRole('article').getByText('From beside').waitFor()
  for (const window of app.windows()) if (window !== page) await window.close()
  await list().waitFor()
})

test('by keyboard it is renamed and deleted', async ({ desktop, row, titles }) => {
  const { page } = desktop
  await row('Second').focus()
  await page.keyboard.press('F2')
  await page.getByRole('dialog', { name: 'Rename the conversation' }).getByRole('textbox').fill('New name')
  await look(desktop, 'list-rename', { narrow: false })
  await page.keyboard.press('Enter')
  await expect.poll(titles).toContain('New name')
  await row('New name').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByText('“New name” and all of its events are deleted').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
  await row('New name').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(titles).not.toContain('New name')
})

test('what was deleted with others is gone for good when it was not taken back, also after a reload', async ({
  desktop,
  row,
  titles,
  list,
}) => {
  const { page, service } = desktop
  await row('First').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  const asked = Date.now()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(titles).toEqual([])
  const left = async () => (await service.client.call(searchAppConversations, { query: {} })).items.length
  const isKept = async () => (await left()) === 2 || Date.now() - asked >= ACTION_MS
  expect(await isKept()).toBe(true)
  await page.reload()
  await list().getByText('No conversations yet').waitFor()
  expect(await isKept()).toBe(true)
  await expect.poll(left).toBe(0)
})
