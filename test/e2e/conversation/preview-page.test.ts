import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pauseSandbox, resumeSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { keepFailure, look } from '../../parts/window/look.ts'
import { type ShopWindow, startShopWindow } from '../../parts/window/shop-window.ts'

let shop: ShopWindow
beforeAll(async () => {
  shop = await startShopWindow()
})
afterEach(({ task }) => keepFailure(shop?.desktop, task))
afterAll(() => shop?.close())

test("localhost in the agent's text is shown beside it, whatever the panel showed", async () => {
  const { page } = shop.desktop
  await page.getByRole('button', { name: 'Fold the panel' }).last().click()
  await page.getByRole('link', { name: /localhost:5173/ }).click()
  await expect.poll(shop.heading).toBe('Second page')
  await expect.poll(() => shop.address().inputValue()).toBe('localhost:5173/two.html?a=b')
})

test('it is gone back and forth, to a port that is typed, and to the list of ports', async () => {
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
  await (await shop.guest()).getByRole('link', { name: 'Two' }).click()
  await expect.poll(shop.heading).toBe('Second page')
  await shop.button('Back').click()
  await expect.poll(shop.heading).toBe('Shop')
  await shop.button('Forward').click()
  await expect.poll(shop.heading).toBe('Second page')
  await shop.button('Back').click()
  await expect.poll(() => shop.address().inputValue()).toBe('localhost:5173')

  await shop.go('javascript:alert(1)')
  await expect.poll(() => shop.address().getAttribute('aria-invalid')).toBe('true')
  await shop.address().press('Escape')
  await shop.button('All ports').click()
  await shop.button('Open port 5173 here').waitFor()
  await shop.button('Open port 5173 here').click()
  await expect.poll(shop.heading).toBe('Shop')
  await look(shop.desktop, 'preview-page', { narrow: false })
})

test('what asks for another window comes in its place, and a download is said to be for the browser', async () => {
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
  await (await shop.guest()).getByRole('link', { name: 'Data' }).click()
  await shop.desktop.page.getByText('“data.csv” was not downloaded').waitFor()
  await (await shop.guest()).getByRole('link', { name: 'Another window' }).click()
  await expect.poll(() => shop.address().inputValue()).toBe('localhost:5173/two.html?new')
  expect(await shop.heading()).toBe('Second page')
  await shop.button('Back').click()
  await expect.poll(shop.heading).toBe('Shop')
})

test('it stays as it is while another tab is shown, and takes no keys there', async () => {
  const { page } = shop.desktop
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
  await (await shop.guest()).evaluate(() => {
    document.body.append(Object.assign(document.createElement('input'), { id: 'kept', value: 'typed' }))
    setInterval(() => {
      window.focus()
      document.getElementById('kept')?.focus()
    }, 20)
  })
  const value = () => document.querySelector<HTMLInputElement>('#kept')?.value
  const width = await page.getByRole('tabpanel').boundingBox()
  for (const [hide, show] of [
    [page.getByRole('tab', { name: 'Details' }), page.getByRole('tab', { name: /^Preview/ })],
    [page.getByRole('button', { name: 'Fold the panel' }).last(), shop.button('Changes and details')],
  ] as const) {
    await hide.click()
    await expect.poll(() => page.locator('webview').isVisible()).toBe(false)
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.click()
    await composer.pressSequentially('The keys stay here', { delay: 20 })
    expect(await composer.inputValue()).toBe('The keys stay here')
    await composer.fill('')
    await show.click()
    await expect.poll(() => page.locator('webview').isVisible()).toBe(true)
    expect(await (await shop.guest()).evaluate(value)).toBe('typed')
  }
  expect(await page.getByRole('tabpanel').boundingBox()).toEqual(width)
  await look(shop.desktop, 'preview-kept', { narrow: false })
  await shop.button('Reload').click()
  await expect.poll(async () => (await shop.guest()).evaluate(value)).toBeUndefined()
})

test('it is shown in the width of a phone, a tablet and a desktop', async () => {
  const width = async () => (await shop.guest()).evaluate(() => innerWidth)
  for (const [name, pixels] of [
    ['Desktop, 1280 px', 1280],
    ['Phone, 390 px', 390],
    ['Tablet, 820 px', 820],
  ] as const) {
    await shop.button('Width of the page').click()
    await shop.desktop.page.getByRole('menuitem', { name }).click()
    // A zoomed pixel is no whole one.
    await expect.poll(async () => Math.abs((await width()) - pixels)).toBeLessThan(4)
    if (pixels === 1280) await look(shop.desktop, 'preview-desktop-width', { narrow: false })
  }
  await shop.button('Width of the page').click()
  await shop.desktop.page.getByRole('menuitem', { name: 'Width of the panel' }).click()
})

test('a picture with marks and the errors of the console go with the next message', async () => {
  const { page } = shop.desktop
  await (await shop.guest()).getByRole('button', { name: 'Buy' }).click()
  // A step within the same document leaves what was written before it.
  await (await shop.guest()).evaluate(() => history.pushState(null, '', '#cart'))
  await expect.poll(() => shop.address().inputValue()).toBe('localhost:5173/#cart')
  await (await shop.guest()).evaluate(() => history.replaceState(null, '', '/'))
  await expect.poll(() => shop.address().inputValue()).toBe('localhost:5173')
  await shop.button('Console, 3 errors').click()
  const list = page.getByRole('region', { name: 'Console' })
  await list.getByText('almost').waitFor()
  await list.getByText('×3').waitFor()
  await look(shop.desktop, 'preview-console', { narrow: false })
  await shop.button('Send to the agent').click()
  const dialog = page.getByRole('dialog', { name: 'Send to the agent' })
  const picture = dialog.getByRole('img', { name: 'Picture of the page' })
  await picture.waitFor()
  const box = await picture.boundingBox()
  if (!box) throw new Error('The picture has no place.')
  await page.mouse.move(box.x + 10, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 200, box.y + 80)
  await page.mouse.up()
  await dialog.getByText('1', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Add a mark' }).press('Enter')
  await hasFocus(dialog.getByRole('button', { name: /^Mark 2: 32% from the left, 32% from the top/ }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  const moved = 'Mark 2: 34% from the left, 32% from the top, 25% wide, 17% high'
  await hasFocus(dialog.getByRole('button', { name: moved }))
  await expect.poll(() => dialog.getByRole('status').textContent()).toBe(moved)
  await look(shop.desktop, 'preview-marks', { narrow: false })
  await dialog.getByRole('button', { name: moved }).press('Delete')
  await hasFocus(dialog.getByRole('button', { name: /^Mark 1:/ }))
  await expect.poll(() => dialog.getByRole('status').textContent()).toBe('Mark 2 was removed.')
  await dialog.getByRole('button', { name: 'Add to the message' }).click()
  await page.getByRole('button', { name: 'Remove localhost:5173', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove localhost:5173.png' }).waitFor()
  await look(shop.desktop, 'preview-attached', { narrow: false })
  const before = shop.model.requests.length
  await page.getByRole('textbox', { name: 'Message' }).fill('Mend the shop')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect.poll(() => shop.model.requests.length).toBeGreaterThan(before)
  const asked = JSON.stringify(shop.model.requests[before]?.body)
  expect(asked).toContain('Mend the shop')
  expect(asked).toContain('The picture shows http://localhost:5173/, with my marks.')
  expect(asked).toContain('out of stock ``` 5173 (http://localhost:5173/')
  expect(asked).toContain('data:image/png;base64,')
})

test('a page that crashes is loaded again, and one that is not there says why', async () => {
  const { page, app } = shop.desktop
  await app.evaluate(({ webContents }) => {
    for (const each of webContents.getAllWebContents()) if (each.getType() === 'webview') each.forcefullyCrashRenderer()
  })
  await page.getByText('The page has crashed.').waitFor()
  await look(shop.desktop, 'preview-crashed', { narrow: false })
  await page.getByRole('button', { name: 'Load it again' }).click()
  await expect.poll(shop.heading).toBe('Shop')
  await shop.go('https://nowhere.invalid/')
  await page.getByText('nowhere.invalid could not be loaded.').waitFor()
  await shop.go('4444')
  await expect.poll(shop.heading).toBe('Nothing answers on port 4444')
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
})

test('while the sandbox rests its page does too, and it comes back to it', async () => {
  const { page, service } = shop.desktop
  await service.client.call(pauseSandbox, { params: { sandbox_id: shop.sandbox } })
  await page.getByText('The sandbox does not run').waitFor()
  await service.client.call(resumeSandbox, { params: { sandbox_id: shop.sandbox } })
  await expect.poll(shop.heading).toBe('Shop')
})
