import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { pdfOf } from '../../parts/pdf.ts'

const HERE = '/workspace/project'

/** Whatever of a name draws nothing, turns the line around or ends it. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const test = base
  /** Where a file would send a request to. */
  .extend('elsewhere', { scope: 'file' }, async ({}, { onCleanup }) => {
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '')
      reply.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onCleanup(() => void server.close())
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })
  .extend('conversation', { scope: 'file' }, ({ desktop }) =>
    startConversation(desktop.service, { title: 'Hostile files' }),
  )
  .extend(
    'run',
    { scope: 'file' },
    ({ conversation }) =>
      (script: string) =>
        runScript(conversation.sandbox_id ?? '', { cwd: HERE, script }),
  )
  /** Writes files of the given texts, named by what is safe in a shell. */
  .extend('write', { scope: 'file' }, ({ run }) => async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      const { printed } = await run(`echo ${Buffer.from(text).toString('base64')} | base64 -d >${name}`)
      expect(printed).toBe('')
    }
  })
  .extend(
    'row',
    { scope: 'file' },
    ({ desktop }) =>
      (name: string) =>
        desktop.page.getByRole('treeitem').filter({ hasText: name }).first(),
  )
  /** Opens a file, waits for what it shows, and closes it. */
  .extend('open', { scope: 'file' }, ({ desktop: { page }, row }) => async (name: string, sign: RegExp | string) => {
    await row(name).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(sign).locator('visible=true').first().waitFor()
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const title = await dialog.getByRole('heading').first().textContent()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    return title
  })

test.beforeEach(async ({ desktop: { page }, conversation }) => {
  // What a failed test left open must not fail the others.
  await page.reload()
  await page.evaluate(address => location.assign(address), `#/conversations/${conversation.app_conversation_id}`)
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.getByRole('tree').waitFor()
})

test.beforeAll(async ({ run }) => {
  await run('git init -q .; git config user.email a@b; git config user.name a; git commit -q --allow-empty -m start')
})

test('names are shown with what cannot be seen written out, wherever they stand', async ({
  desktop,
  run,
  open,
  row,
}) => {
  const { page } = desktop
  const { printed } = await run(`python3 - <<'END'
import os
for name in [b'turned\\xe2\\x80\\xaefdp.exe', b'escape\\x1b]0;title\\x07', b'two\\nlines', b'<img src=x onerror=window.broken=1>', b'w' * 255,
    b'...', b'..\\\\up', b'not\\xff\\xfeutf8', b'  spaces  end ', b'soft\\xc2\\xadhyphen', b'nothing\\xe2\\x80\\x8bhere', b'\\xd8\\x9carabic', b'-rf']:
    open(name, 'w').write('text')
END`)
  expect(printed).toBe('')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row('turned\\u202efdp.exe').waitFor()
  const names = await page.getByRole('treeitem').allTextContents()
  expect(names.filter(name => UNSEEN.test(name))).toEqual([])
  for (const shown of [
    'escape\\u001b]0;title\\u0007',
    'two\\nlines',
    '<img src=x onerror=window.broken=1>',
    'w'.repeat(255),
    '  spaces  end ',
    'soft\\u00adhyphen',
    'nothing\\u200bhere',
    '\\u061carabic',
  ])
    expect(
      names.some(name => name.startsWith(shown)),
      shown,
    ).toBe(true)
  // Spaces keep their width, and long names end where the panel does.
  expect((await row('  spaces').allInnerTexts())[0]).toMatch(/^ {2}spaces {2}end /)
  const { width = 0 } = (await page.getByRole('tree').boundingBox()) ?? {}
  expect(((await row('wwww').boundingBox())?.width ?? 0) <= width).toBe(true)
  expect(await open('turned', 'text')).toBe('turned\\u202efdp.exe')
  expect(await open('<img', 'text')).toContain('<img src=x')
  await page.reload()
  await page.getByRole('tab', { name: /^Changes/ }).click()
  await page.getByRole('button', { name: /^turned/ }).waitFor()
  const changes = page.getByRole('tabpanel')
  expect(await changes.textContent()).not.toMatch(UNSEEN)
  const titles = await changes.locator('[title]').evaluateAll(all => all.map(each => each.getAttribute('title') ?? ''))
  expect(titles.filter(title => UNSEEN.test(title))).toEqual([])
  await page.getByRole('button', { name: 'Review…' }).click()
  const review = page.getByRole('dialog')
  await review.getByRole('button', { name: /^turned/ }).click()
  await review.getByRole('heading', { name: /turned/ }).waitFor()
  expect(await review.textContent()).not.toMatch(UNSEEN)
  await page.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Files' }).click()
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
})

test('what files say is done by nobody: no script, no request, no other page', async ({
  desktop,
  elsewhere,
  write,
  row,
  open,
}) => {
  const { page, app } = desktop
  const { url, asked } = elsewhere
  const before = { url: page.url(), contents: await contents(app), title: await page.title() }
  const script = `window.broken=1;new Image().src='${url}/script';location='${url}/gone'`
  await write({
    'hostile.md': [
      '# Prose',
      `<script>${script}</script><img src="${url}/html.png" onerror="${script}"><iframe src="${url}/frame"></iframe>`,
      `<meta http-equiv="refresh" content="0;url=${url}/refresh"><style>@import url(${url}/style);</style>`,
      `<svg><image href="${url}/svg.png"/><script>${script}</script></svg><object data="${url}/object"></object>`,
      `![picture](${url}/picture.png) [run](javascript:${script.replaceAll(' ', '')}) [local](file:///etc/passwd)`,
      `<form action="${url}/form"><input autofocus onfocus="${script}"></form><base href="${url}/">`,
    ].join('\n\n'),
    'hostile.html': `<html><head><script>${script}</script></head><body onload="${script}"><img src="${url}/page.png"></body></html>`,
    'hostile.svg': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="48" onload="${script}">
      <script>${script}</script><style>@import url(${url}/style.css); rect { fill: url(${url}/fill.svg#a) }</style>
      <image href="${url}/image.png" width="9" height="9"/><use xlink:href="${url}/use.svg#a"/>
      <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${url}/frame"/></foreignObject>
      <animate attributeName="href" values="javascript:${script}"/><rect width="64" height="48"/></svg>`,
    'hostile.pdf': pdfOf({
      texts: ['Quarterly report'],
      catalog: `/OpenAction<</S/JavaScript/JS(app.launchURL\\("${url}/pdf"\\))>>/AA<</WC<</S/URI/URI(${url}/close)>>>>`,
      page: `/AA<</O<</S/Launch/F(${url}/launch)>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 600 800]/A<</S/URI/URI(${url}/link)>>>>]`,
    }),
    'broken.pdf': '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>',
    'hostile.csv': `name,formula\na,=HYPERLINK("${url}/cell")\nb,<img src="${url}/cell.png">`,
    'page.png': `<html><script>${script}</script></html>`,
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row('hostile.svg').waitFor()
  for (const [name, sign] of [
    ['hostile.md', 'Prose'],
    ['hostile.html', 'onload'],
    ['hostile.svg', '64 × 48'],
    ['hostile.pdf', 'Quarterly report'],
    ['broken.pdf', 'damaged'],
    ['hostile.csv', 'HYPERLINK'],
    ['page.png', 'This is no image that can be shown.'],
  ] as const)
    await open(name, sign)
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  expect({ url: page.url(), contents: await contents(app), title: await page.title() }).toEqual(before)
  expect(asked).toEqual([])
})

test('links of a file open web pages in the browser, and nothing else', async ({ desktop, row, write }) => {
  const { page, app } = desktop
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async address => void opened.push(address)
  })
  await write({
    'links.md': `[web](https://example.com/web) [script](javascript:window.broken=1) [file](file:///etc/passwd) [app](vscode://x) [data](data:text/html,x) [here](other.md)`,
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row('links.md').click()
  const dialog = page.getByRole('dialog')
  // The editor of the text waits hidden beside the prose, and colours the same words once its grammar is there.
  const prose = dialog.getByRole('paragraph')
  const before = page.url()
  for (const name of ['script', 'file', 'app', 'data', 'here', 'web'])
    await prose.getByText(name, { exact: true }).click()
  await expect.poll(() => app.evaluate(() => Reflect.get(globalThis, 'opened'))).toEqual(['https://example.com/web'])
  expect(page.url()).toBe(before)
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test.for([
  ['an image that is large only when it is drawn', 'large.png'],
  ['a drawing that grows a thousand million times', 'growing.svg'],
  ['a drawing as wide as a continent', 'wide.svg'],
])('%s does not hold up the window', async ([, name = ''], { desktop, run, row }) => {
  const { page } = desktop
  const { printed } = await run(`python3 - <<'END'
import struct, zlib
def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
size = 30000
rows = zlib.compressobj(9)
body = b''.join(rows.compress(bytes(1 + size // 8)) for _ in range(size)) + rows.flush()
open('large.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', size, size, 1, 0, 0, 0, 0)) + chunk(b'IDAT', body) + chunk(b'IEND', b''))
levels = ''.join(f'<g id="l{n}">' + f'<use href="#l{n - 1}"/>' * 10 + '</g>' for n in range(1, 10))
open('growing.svg', 'w').write(f'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><defs><rect id="l0" width="9" height="9"/>{levels}</defs><use href="#l9"/></svg>')
open('wide.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg" width="99999999" height="99999999"><filter id="f"><feTurbulence numOctaves="99"/></filter><rect width="100%" height="100%" filter="url(#f)"/></svg>')
END`)
  expect(printed).toBe('')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row(name).waitFor()
  await row(name).click({ timeout: 5_000 })
  const dialog = page.getByRole('dialog')
  await dialog.getByText(name).first().waitFor()
  await dialog
    .getByText(/×|no image|too many parts/)
    .first()
    .waitFor()
  const start = performance.now()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(performance.now() - start).toBeLessThan(5_000)
})

function contents(app: {
  evaluate: <T>(page: (electron: typeof import('electron')) => T) => Promise<T>
}): Promise<number> {
  return app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
}
