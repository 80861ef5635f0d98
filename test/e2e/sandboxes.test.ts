import { expect } from 'vitest'
import { createClient } from '../../server/docker/client.ts'
import { it as base } from '../fixtures/window.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, {})
  .extend('row', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('row').nth(1)
  })
  .extend('state', { scope: 'file' }, ({ row }) => (word: string) => {
    return row().getByText(word, { exact: true })
  })
  /** As any other Docker client finds it: a container has its sandbox's name. */
  .extend('itsContainer', { scope: 'file' }, ({ row }) => async () => {
    const id = await row()
      .getByTitle(/^atelier-/)
      .getAttribute('title')
    return createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined }).docker.getContainer(id ?? '')
  })

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('link', { name: 'Sandboxes' }).click()
})

test('none is there at first; a new one runs and shows what it uses', async ({ desktop, state, row }) => {
  const { page } = desktop
  await page.getByText('No sandboxes').waitFor()
  await look(desktop, 'sandboxes-empty')
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('dialog', { name: 'New sandbox' }).getByRole('button', { name: 'Start' }).waitFor()
  await look(desktop, 'sandboxes-new')
  await page.getByRole('dialog', { name: 'New sandbox' }).getByRole('button', { name: 'Start' }).click()
  await state('running').waitFor()
  await row()
    .getByText(/^[\d.]+ [kM]B \/ /)
    .waitFor()
  await look(desktop, 'sandboxes')
})

test('pause and resume work from the row', async ({ row, state }) => {
  await row().getByRole('button', { name: 'Pause' }).click()
  await state('paused').waitFor()
  await row().getByRole('button', { name: 'Resume' }).click()
  await state('running').waitFor()
})

test('what others do to it shows within a second', async ({ itsContainer, state, desktop }) => {
  const container = await itsContainer()
  await container.pause()
  await atOnce(() => state('paused').waitFor())
  await container.unpause()
  await atOnce(() => state('running').waitFor())
  await container.remove({ force: true })
  await atOnce(() => desktop.page.getByText('No sandboxes').waitFor())
})

test('delete asks first, then removes the container', async ({ desktop, state, itsContainer, row }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('dialog', { name: 'New sandbox' }).getByRole('button', { name: 'Start' }).click()
  await state('running').waitFor()
  const container = await itsContainer()
  await row().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog', { name: 'Delete this sandbox?' }).waitFor()
  await look(desktop, 'sandboxes-delete')
  await page.getByRole('button', { name: 'Delete the sandbox' }).click()
  await page.getByText('No sandboxes').waitFor()
  // It is shown no more from the moment in which its removal was recorded.
  const found = () =>
    container.inspect().then(
      ({ State }) => State.Status,
      error => error.message,
    )
  await expect.poll(found, { timeout: 10_000 }).toMatch(/no such container/i)
})

test('while the list loads and when it fails, the page says so', async ({ desktop }) => {
  const { page } = desktop
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.getByRole('link', { name: 'New conversation' }).first().click()
  await page.route('**/api/v1/sandboxes/search*', async route => {
    await answered
    await route.fulfill({ status: 500, json: { detail: 'Internal Server Error' } })
  })
  await page.reload()
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  await page.getByRole('status', { name: 'Loading sandboxes' }).waitFor()
  await look(desktop, 'sandboxes-loading')
  answer()
  await page.getByRole('alert').waitFor()
  await look(desktop, 'sandboxes-failed')
  await page.unroute('**/api/v1/sandboxes/search*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No sandboxes').waitFor()
})

async function atOnce(seen: () => Promise<void>): Promise<void> {
  const before = performance.now()
  await seen()
  // Looking at intervals would take longer.
  expect(performance.now() - before).toBeLessThan(5_000)
}
