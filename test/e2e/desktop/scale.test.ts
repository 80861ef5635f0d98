import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/keyring.ts'
import {
  type DesktopApp,
  desktopProgram,
  newDataDir,
  removeDataDir,
  startDesktopApp,
} from '../../parts/window/desktop-app.ts'
import { keepFailure } from '../../parts/window/look.ts'

const test = base
  .extend('dataDir', ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('start', ({ keyring, dataDir, task }, { onCleanup }) => {
    const started: DesktopApp[] = []
    onCleanup(async () => {
      for (const desktop of started) {
        await keepFailure(desktop, task)
        await desktop.close()
      }
    })
    return async (scale: number) => {
      const { path, args } = desktopProgram()
      const program = { path, args: [...args, `--force-device-scale-factor=${scale}`] }
      const desktop = await startDesktopApp({ env: keyring.env, dataDir, program })
      started.push(desktop)
      return desktop
    }
  })

/** As the page sees it: while the app starts, its garbage collector may take what the driver waits for in the main process. */
const place = ({ page }: DesktopApp) =>
  page.evaluate(() => ({
    bounds: { x: screenX, y: screenY, width: outerWidth, height: outerHeight },
    display: { width: screen.availWidth, height: screen.availHeight },
  }))

test.for([1.25, 1.75])(
  'at a scale of %s the window fits its display, and stays where it is',
  async (scale, { start, dataDir }) => {
    let desktop = await start(scale)
    expect(await desktop.page.evaluate(() => devicePixelRatio)).toBe(scale)
    // Pixels of the scale are rounded.
    const { bounds, display } = await place(desktop)
    expect(bounds.width).toBeLessThanOrEqual(display.width + 1)
    expect(bounds.height).toBeLessThanOrEqual(display.height + 1)
    expect(await desktop.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await desktop.close()
    const chosen = { x: 33, y: 27, width: 701, height: 487 }
    writeFileSync(join(dataDir, 'window', 'place.json'), JSON.stringify({ bounds: chosen, maximized: false }))
    desktop = await start(scale)
    const first = (await place(desktop)).bounds
    expect(Math.abs(first.width - chosen.width)).toBeLessThan(10)
    for (let starts = 0; starts < 2; starts++) {
      await desktop.close()
      desktop = await start(scale)
    }
    expect((await place(desktop)).bounds).toEqual(first)
  },
)

test('a window that nobody can grab comes back some moments after its display has gone', async ({ start }) => {
  const { app } = await start(1)
  const workArea = await app.evaluate(async ({ BrowserWindow, screen }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (!window) throw new Error('There is no window.')
    window.setBounds({ x: 9000, y: 20, width: 700, height: 500 })
    // The display server says where it is now.
    while (window.getBounds().x !== 9000) await new Promise(resolve => setTimeout(resolve, 20))
    const gone = screen.getPrimaryDisplay()
    screen.emit('display-removed', {}, gone)
    return gone.workArea
  })
  const place = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  await expect.poll(place).toEqual({
    x: Math.round(workArea.x + (workArea.width - 700) / 2),
    y: Math.round(workArea.y + (workArea.height - 500) / 2),
    width: 700,
    height: 500,
  })
})
