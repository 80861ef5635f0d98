import type { Locator } from 'playwright'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { pdfOf, stream } from '../../parts/pdf.ts'
import { look } from '../../parts/window/look.ts'

const PAGES = 40
/** Each draws the next one ten times: a thousand million squares. */
const LEVELS = 9
const GROWING = Array.from({ length: LEVELS }, (_, level) =>
  stream(
    `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X ${101 + level} 0 R>>>>`,
    level === LEVELS - 1 ? '0 0 9 9 re f' : '/X Do '.repeat(10),
  ),
)
const FILES = {
  'report.pdf': pdfOf({
    texts: Array.from({ length: PAGES }, (_, index) => `Sheet ${index + 1}`),
    drawn: '1 0 0 rg 72 400 200 200 re f',
  }),
  'secret.pdf': pdfOf({
    texts: ['Nothing'],
    trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'11'.repeat(32)}>/U<${'22'.repeat(32)}>>>`,
  }),
  'cut.pdf': '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1',
  'growing.pdf': pdfOf({ texts: ['One', 'Two'], drawn: '/X Do', objects: GROWING }),
}

const test = base
  .extend('opened', { scope: 'file' }, async ({ desktop: { page, service } }) => {
    const started = await startConversation(service, { title: 'Documents' })
    for (const [name, text] of Object.entries(FILES)) {
      const script = `echo ${Buffer.from(text, 'latin1').toString('base64')} | base64 -d >${name}`
      expect((await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })).printed).toBe('')
    }
    await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
    await page.getByRole('tab', { name: 'Files' }).click()
    return page
  })
  .extend('open', { scope: 'file' }, ({ opened }) => async (name: string) => {
    await opened.getByRole('treeitem').filter({ hasText: name }).first().click()
    return opened.getByRole('dialog', { name, exact: true })
  })
  .extend('close', { scope: 'file' }, ({ opened }) => async () => {
    await opened.keyboard.press('Escape')
    await opened.getByRole('dialog').waitFor({ state: 'detached' })
  })

test('a document shows its pages as they are reached, in any size, with its text', async ({ desktop, open, close }) => {
  const dialog = await open('report.pdf')
  const pages = dialog.getByRole('article')
  await dialog.getByText('Sheet 1', { exact: true }).waitFor()
  await dialog.getByText(`Page 1 of ${PAGES}`).waitFor()
  await expect.poll(() => colourAt(dialog, 'Page 1', 172 / 595, 342 / 842)).toEqual([255, 0, 0])
  await look(desktop, 'files-pdf')
  expect(await pages.count()).toBeLessThan(PAGES)

  const first = dialog.getByRole('article', { name: 'Page 1', exact: true })
  const { width = 0 } = (await first.boundingBox()) ?? {}
  await dialog.getByRole('group', { name: 'Pages' }).focus()
  await desktop.page.keyboard.press('-')
  await expect.poll(async () => (await first.boundingBox())?.width).toBeLessThan(width)
  await dialog.getByRole('button', { name: 'Fit width' }).click()
  await expect.poll(async () => (await first.boundingBox())?.width).toBeGreaterThan(width)

  await dialog.getByText('Sheet 1', { exact: true }).selectText()
  expect(await desktop.page.evaluate(() => String(getSelection()))).toBe('Sheet 1')
  await dialog.getByRole('group', { name: 'Pages' }).focus()
  await desktop.page.keyboard.press('ArrowRight')
  await dialog.getByText(`Page 2 of ${PAGES}`).waitFor()
  await desktop.page.keyboard.press('End')
  await dialog.getByText(`Sheet ${PAGES}`, { exact: true }).waitFor()
  await dialog.getByText('Sheet 1', { exact: true }).waitFor({ state: 'detached' })

  // Whoever comes back to the window finds the page that was left.
  const asked: string[] = []
  desktop.page.on('request', request => asked.push(request.url()))
  await desktop.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await dialog.getByText(`Page ${PAGES} of ${PAGES}`).waitFor()
  expect(asked.filter(url => url.includes('report.pdf'))).toEqual([])
  await close()
})

test('a document that is protected or damaged says so, and can be downloaded', async ({ desktop, open, close }) => {
  const locked = await open('secret.pdf')
  await locked.getByText('This PDF is protected with a password').waitFor()
  await look(desktop, 'files-pdf-password')
  await close()
  const cut = await open('cut.pdf')
  await cut.getByText('This PDF is damaged and cannot be shown').waitFor()
  await close()
})

test('a page that draws without end is given up, and the window answers meanwhile', async ({
  desktop,
  open,
  close,
}) => {
  const dialog = await open('growing.pdf')
  await dialog.getByText(/^Page \d of 2$/).waitFor()
  const { page } = desktop
  const longest = await page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let last = performance.now()
        let most = 0
        const until = last + 5_000
        const step = () => {
          const now = performance.now()
          most = Math.max(most, now - last)
          last = now
          if (now > until) resolve(most)
          else setTimeout(step, 10)
        }
        step()
      }),
  )
  expect(longest).toBeLessThan(1_500)
  await dialog.getByText('This page takes too long to draw').first().waitFor({ timeout: 60_000 })
  await close()
  await open('report.pdf')
  await page.getByRole('dialog').getByText('Sheet 1', { exact: true }).waitFor()
  await close()
})

/** Red, green and blue of a place of a page, from 0 to 1 from its top left corner. */
function colourAt(dialog: Locator, name: string, x: number, y: number): Promise<number[]> {
  return dialog
    .getByRole('article', { name, exact: true })
    .locator('canvas')
    .evaluate(
      (element, [left = 0, top = 0]) => {
        const canvas = element as HTMLCanvasElement
        const copy = new OffscreenCanvas(canvas.width, canvas.height)
        const context = copy.getContext('2d')
        context?.drawImage(canvas, 0, 0)
        const at = context?.getImageData(Math.floor(left * canvas.width), Math.floor(top * canvas.height), 1, 1).data
        return [...(at ?? [])].slice(0, 3)
      },
      [x, y],
    )
}
