import { expect } from 'vitest'
import { it as base } from '../../fixtures/keyring.ts'
import { type DesktopApp, newDataDir, removeDataDir, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  // Each test starts the app anew.
  .extend('desktop', async ({ keyring, dataDir, task }, { onCleanup }) => {
    const desktop = await startDesktopApp({ env: keyring.env, dataDir })
    onCleanup(async () => {
      await keepFailure(desktop, task)
      await desktop.close()
    })
    return desktop
  })

const isAccelerated = ({ app }: DesktopApp) =>
  app.evaluate(({ app: main }) => !main.commandLine.hasSwitch('disable-gpu'))

async function showChoice({ page }: DesktopApp) {
  await page.evaluate(() => location.assign('#/settings/desktop'))
  return page.getByRole('switch', { name: 'Draw with the graphics card' })
}

test('a graphics card whose process crashes again and again is left alone from the next start on', async ({
  desktop,
}) => {
  const { page, app } = desktop
  await page.getByRole('button', { name: 'Skip for now' }).click()
  expect(await isAccelerated(desktop)).toBe(true)
  const choice = await showChoice(desktop)
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('true')
  const crash = (previous: number) =>
    app.evaluate(({ app: main }, before) => {
      const pid = main.getAppMetrics().find(({ type }) => type === 'GPU')?.pid ?? 0
      if (pid === 0 || pid === before) return 0
      process.kill(pid, 'SIGSEGV')
      return pid
    }, previous)
  for (let crashes = 0, last = 0; crashes < 3; crashes++) {
    await expect
      .poll(async () => {
        const pid = await crash(last)
        if (pid) last = pid
        return pid
      })
      .toBeGreaterThan(0)
  }
  await page.getByRole('heading', { name: 'Desktop' }).waitFor()
  await page.reload()
  await page.getByText('drawing with the graphics card failed').waitFor()
  expect(await choice.getAttribute('aria-checked')).toBe('false')
  await look(desktop, 'graphics-failed')
})

test('it is tried again where the person wants it', async ({ desktop }) => {
  expect(await isAccelerated(desktop)).toBe(false)
  const choice = await showChoice(desktop)
  await choice.click()
  await expect.poll(() => desktop.page.getByText('drawing with the graphics card failed').count()).toBe(0)
  expect(await choice.getAttribute('aria-checked')).toBe('true')
})

test('and left alone where not', async ({ desktop }) => {
  expect(await isAccelerated(desktop)).toBe(true)
  const choice = await showChoice(desktop)
  await choice.click()
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('false')
})

test('each start asks for what was chosen last', async ({ desktop }) => {
  expect(await isAccelerated(desktop)).toBe(false)
})
