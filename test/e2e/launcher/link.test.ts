import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { it as base } from '../../fixtures/window.ts'
import { type DesktopAppOptions, desktopEnv, desktopProgram } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const TASK = 'Fix the "failing" test & run it.\nThen stop.'

const test = base
  .extend('desktopOptions', { scope: 'file' }, ({ keyring }): DesktopAppOptions => {
    const { path, args } = desktopProgram()
    const link = `atelier://new?text=${encodeURIComponent(TASK)}`
    return { env: keyring.env, program: { path, args: [...args, link] } }
  })
  /** Follows a link, as a desktop does: with a second start of the app, which hands it over. */
  .extend('follow', { scope: 'file' }, ({ keyring, desktop }) => async (link: string) => {
    const { path, args } = desktopProgram()
    await promisify(execFile)(path, [...args, link], { env: desktopEnv(keyring.env, desktop.dataDir) })
  })

test('a link that the app was started with fills in a task, after the first run too, and starts nothing', async ({
  desktop,
}) => {
  const { page, service } = desktop
  await page.getByText('A link filled in this task.').waitFor()
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  expect(await task.inputValue()).toBe(TASK)
  await look(desktop, 'link-filled-in')
  expect((await service.client.call(searchStartTasks, { query: {} })).items).toEqual([])
  await page.getByRole('button', { name: 'Take it out' }).click()
  await expect.poll(() => task.inputValue()).toBe('')
  expect(await page.getByText('A link filled in this task.').count()).toBe(0)
})

test('a link to the running app keeps what was typed, and one that asks for something else says so', async ({
  desktop,
  follow,
}) => {
  const { page, service } = desktop
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.fill('Mine.')
  await follow('atelier://new?text=%22First%22')
  await expect.poll(() => task.inputValue()).toBe('"First"')
  await follow('atelier://new?text=42')
  await expect.poll(() => task.inputValue()).toBe('42')
  await page.getByRole('button', { name: 'Take it out' }).click()
  await expect.poll(() => task.inputValue()).toBe('Mine.')

  await follow('atelier://new?text=Linked')
  await expect.poll(() => task.inputValue()).toBe('Linked')
  await follow('atelier://new?text=x&start=1')
  await page.getByText('This one asks for something else.', { exact: false }).waitFor()
  expect(await page.getByText('A link filled in this task.').count()).toBe(1)
  await look(desktop, 'link-refused')
  await task.fill('Linked, and mine.')
  await page.getByText('A link filled in this task, and it was changed since.').waitFor()
  await task.fill('Linked')
  await page.getByRole('button', { name: 'Take it out' }).click()
  await follow(`atelier://new?text=${encodeURIComponent('Fix it\u{e0041}')}`)
  await page.getByText('Its text has characters that cannot be seen.', { exact: false }).waitFor()
  await follow('sftp://server/srv')
  await page.getByText('It does not name a folder of this computer.', { exact: false }).waitFor()
  expect(await task.inputValue()).toBe('Mine.')

  // As long as the program `atelier` hands over.
  await follow(`atelier:${'0'.repeat(24_000)}`)
  await page.getByText('It is too long.', { exact: false }).waitFor()
  await follow(`atelier://new?text=${encodeURIComponent('任'.repeat(2_600))}`)
  await expect.poll(() => task.inputValue()).toBe('任'.repeat(2_600))
  expect((await service.client.call(searchStartTasks, { query: {} })).items).toEqual([])
})
