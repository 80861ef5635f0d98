import { expect } from 'vitest'
import {
  batchGetSandboxes,
  deleteSandbox,
  pauseSandbox,
  resumeSandbox,
  startSandbox,
} from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createClient } from '../../../server/docker/client.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

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

test('what it takes of the disk shows once it is measured, and sorts the list', async ({ desktop, row }) => {
  const { page, service } = desktop
  await page.getByText(/ on disk$/).waitFor()
  const size = row().getByRole('cell').nth(6)
  await expect.poll(() => size.textContent()).toMatch(/^[\d.,]+ [kM]?B$/)
  const { id } = await service.client.call(startSandbox, {})
  const names = () => page.getByTitle(/^atelier-/).allTextContents()
  await expect.poll(async () => (await names())[0]).toBe(id)
  const ages = page.getByRole('columnheader', { name: 'Age', exact: true })
  const sizes = page.getByRole('columnheader', { name: 'Disk' })
  expect([await ages.getAttribute('aria-sort'), await sizes.getAttribute('aria-sort')]).toEqual(['ascending', 'none'])
  const older = (await names())[1] ?? ''
  await fill(older)
  await page.reload()
  await page.getByText('5.0 MB', { exact: false }).first().waitFor()
  await sizes.getByRole('button').click()
  await expect.poll(names).toEqual([older, id])
  expect(await sizes.getAttribute('aria-sort')).toBe('descending')
  await look(desktop, 'sandboxes-by-disk')
  await ages.getByRole('button').click()
  await expect.poll(names).toEqual([id, older])
  await service.client.call(deleteSandbox, { params: { sandbox_id: id } })
  await expect.poll(names).toEqual([older])
})

test('the list does not wait for an engine that measures, and says where it cannot', async ({
  desktop,
  state,
  row,
}) => {
  const { page } = desktop
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/v1/storage/engine?*', async route => {
    await answered
    await route.fulfill({ status: 503, json: { detail: 'It is away.', code: 'engine_unavailable' } })
  })
  await page.reload()
  await state('running').waitFor()
  await row().getByTitle('Measuring').waitFor()
  answer()
  await row().getByTitle('The engine did not report its size.').waitFor()
  await page.unroute('**/api/v1/storage/engine?*')
})

test('what a row offers is in its menu too', async ({ desktop, state, row }) => {
  const { page } = desktop
  const id =
    (await page
      .getByTitle(/^atelier-/)
      .first()
      .textContent()) ?? ''
  await row().getByText('running').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Pause' }).waitFor()
  await look(desktop, 'sandboxes-menu')
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await state('paused').waitFor()
  // As the key for it does, from what has the focus.
  await row().getByRole('button', { name: 'Resume' }).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy ID' }).click()
  await expect.poll(() => desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(id)
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

test('what was not used for some days is deleted together, after a look at what goes; what runs stays', async ({
  desktop,
}) => {
  const { page, service } = desktop
  const { client } = service
  const ids = (await Promise.all([1, 2, 3].map(() => client.call(startSandbox, {})))).map(({ id }) => id)
  const states = async () => {
    const found = await client.call(batchGetSandboxes, { query: { id: ids } })
    return found.map(each => each?.status ?? null)
  }
  await expect.poll(states, { timeout: 20_000 }).toEqual(['RUNNING', 'RUNNING', 'RUNNING'])
  const [first = '', second = ''] = ids
  for (const id of [first, second]) await client.call(pauseSandbox, { params: { sandbox_id: id } })
  // Nobody waits for a week here: the window alone takes it for later.
  await page.clock.setFixedTime(Date.now() + 8 * 24 * 3600_000)
  await page.getByRole('button', { name: 'Delete unused…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete unused sandboxes' })
  const list = dialog.getByRole('list', { name: 'Unused sandboxes' })
  await list.getByText(first).waitFor()
  expect(await list.getByRole('checkbox').count()).toBe(2)
  await look(desktop, 'sandboxes-unused')
  await dialog.getByRole('combobox', { name: 'Not used' }).click()
  await page.getByRole('option', { name: 'For 30 days' }).click()
  await dialog.getByText('No sandbox was unused for that long.').waitFor()
  await dialog.getByRole('combobox', { name: 'Not used' }).click()
  await page.getByRole('option', { name: 'For 1 day' }).click()
  await list.getByRole('checkbox', { name: second }).uncheck()
  await dialog.getByRole('button', { name: 'Delete 1 sandbox' }).waitFor()
  await list.getByRole('checkbox', { name: second }).check()
  // Somebody needs one of them after all.
  await client.call(resumeSandbox, { params: { sandbox_id: second } })
  await expect.poll(async () => (await states())[1]).toBe('RUNNING')
  await dialog.getByRole('button', { name: 'Delete 2 sandboxes' }).click()
  await page.getByText(`${second}: It is in use again.`).waitFor({ timeout: 30_000 })
  await look(desktop, 'sandboxes-unused-result')
  await page.getByRole('button', { name: 'Close' }).last().click()
  expect(await states()).toEqual([null, 'RUNNING', 'RUNNING'])
})

/** Five megabytes, written as any other Docker client could. */
async function fill(name: string): Promise<void> {
  const { docker } = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  const Cmd = ['dd', 'if=/dev/urandom', 'of=/root/large', 'bs=1000', 'count=5000']
  const exec = await docker.getContainer(name).exec({ Cmd, AttachStdout: true, AttachStderr: true })
  const stream = await exec.start({})
  stream.resume()
  await new Promise(resolve => stream.once('end', resolve))
}

async function atOnce(seen: () => Promise<void>): Promise<void> {
  const before = performance.now()
  await seen()
  // Looking at intervals would take longer.
  expect(performance.now() - before).toBeLessThan(5_000)
}
