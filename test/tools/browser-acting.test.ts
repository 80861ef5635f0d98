import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_IMAGE_MS } from '../parts/window/browser.ts'
import { type BrowserUser, inPage, SECRET, startBrowserUser, tabIn } from '../parts/window/user.ts'
import { PAGES } from './browser-pages.ts'

let user: BrowserUser

beforeAll(async () => {
  user = await startBrowserUser(PAGES)
}, BROWSER_IMAGE_MS)

afterAll(() => user?.close())

describe('using elements', () => {
  test('sends a form: types, chooses, ticks what is drawn by something else, gives a date, a file and Enter', async () => {
    await user.open('form.html')
    await user.sandbox.handle.writeFile('/tmp/list.txt', Buffer.from('x'))
    await user.type('Your name', 'Zoë 🙂')
    await user.type('<select', 'pear')
    expect((await user.click('type="checkbox"')).is_error).toBe(false)
    await user.type('type="date"', '2026-01-31')
    await user.type('<textarea', 'two\nlines')
    await user.type('type="file"', '/tmp/list.txt')
    await user.type('type="password"', '$TOKEN')
    const sent = await user.type('Your name', 'Ada\n')
    expect(sent.text).toContain('titled "Sent"')
    const { text } = await user.call('get_content')
    expect(text).toContain(
      'name=Ada, pin=<secret-hidden>, fruit=p, gift=on, day=2026-01-31, note=two lines, file=list.txt',
    )
    expect(text).not.toContain(SECRET)
  })

  test.each([
    ['an option that is not there', '<select', 'Kiwi', 'It has: Apple | Pear'],
    ['a date that is none', 'type="date"', 'tomorrow', 'did not take "tomorrow"'],
    ['a field that is disabled', 'disabled', 'x', 'No text can be typed'],
    ['a box to tick', 'type="checkbox"', 'x', 'An input of type checkbox is clicked'],
    ['a button', 'Send', 'x', 'No text can be typed'],
  ])('refuses to type into %s', async (_, element, text, words) => {
    await user.open('form.html')
    const result = await user.call('type', { index: await user.numberOf(element), text })
    expect([result.text, result.is_error]).toEqual([expect.stringContaining(words), true])
  })

  test('replaces the text of an editor, key by key', async () => {
    await user.open('editor.html')
    await user.type('editable', 'ab')
    expect(inPage((await user.call('get_content')).text).join(' ')).toContain('ab  Delete a b')
  })

  test('reaches into frames and closed shadow trees', async () => {
    await user.open('frames.html')
    expect((await user.click('Inside the frame')).text).toContain('titled "inner"')
    expect((await user.click('Inside the shadow')).text).toContain('titled "shadow"')
  })

  test('clicks what listens, and what is far below', async () => {
    await user.open('index.html')
    await user.click('A card that listens')
    expect((await user.call('get_content')).text).toContain('Clicked 1 times')
    await user.open('long.html')
    await user.call('get_state')
    expect((await user.call('click', { index: 399 })).text).toContain('titled "399"')
  })

  test('says what is in the way of a click', async () => {
    await user.open('modal.html')
    const { text, is_error } = await user.click('Below')
    expect([text, is_error]).toEqual([
      expect.stringContaining('Something lies over this element: <div id="cover">'),
      true,
    ])
    await user.click('Close')
    expect((await user.click('Below')).text).toContain('titled "reached"')
  })

  test.each([
    ['before a look at a new page', async () => void (await user.open('index.html')), 0, 'was not looked at yet'],
    ['that the last state did not have', async () => void (await user.call('get_state')), 99, 'It had 0 to '],
  ])('refuses a number %s', async (_, before, index, words) => {
    await before()
    const { text, is_error } = await user.call('click', { index })
    expect([text, is_error]).toEqual([expect.stringContaining(words), true])
  })

  test('says that an element is gone', async () => {
    await user.open('vanishing.html')
    const index = await user.numberOf('Gone')
    await user.click('Remove')
    const { text, is_error } = await user.call('click', { index })
    expect([text, is_error]).toEqual([expect.stringContaining('not on the page any more'), true])
  })

  test('answers dialogs and tells of them', async () => {
    await user.open('dialogs.html')
    const refused = (await user.click('Delete')).text
    expect(refused).toContain('titled "false"')
    expect(refused).toContain('[The page opened a dialog (confirm), which was cancelled: "Delete everything?"]')
    expect((await user.click('Save')).text).toContain('dialog (alert), which was closed: "Saved"')
  })

  test('saves downloads and says where', async () => {
    await user.open('files.html')
    expect((await user.click('Get the numbers')).text).toContain('[A file was downloaded: /tmp/downloads/numbers.csv]')
    expect(String(await user.sandbox.handle.readFile('/tmp/downloads/numbers.csv'))).toBe('a,b\n1,2\n')
  })
})

describe('tabs', () => {
  test('are opened by links and pages, listed, switched and closed', async () => {
    const first = tabIn((await user.open('index.html')).text)
    const popup = (await user.click('Order in a new tab')).text
    const second = /opened a new tab, (\w+), which is the current one/.exec(popup)?.[1] ?? ''
    expect(popup).toContain('form.html')
    await user.call('switch_tab', { tab_id: first })
    const third = tabIn((await user.click('List', { new_tab: true })).text)
    const { text } = await user.call('list_tabs')
    expect(text).toContain(`- ${first} ${user.pages.url}/index.html`)
    expect(text).toContain(`- ${second} ${user.pages.url}/form.html`)
    expect(text).toContain(`* ${third} ${user.pages.url}/long.html`)
    expect((await user.click('Button 0', { new_tab: true })).text).toContain('is no link')
    expect((await user.call('switch_tab', { tab_id: second.toUpperCase() })).text).toContain('titled "Order"')
    expect((await user.call('close_tab', { tab_id: second })).text).not.toContain(`${second} http`)
    expect((await user.call('switch_tab', { tab_id: 'none' })).text).toContain('There is no tab "none". There are: ')
  })

  test('are never none', async () => {
    for (const tab of tabIds((await user.call('list_tabs')).text)) await user.call('close_tab', { tab_id: tab })
    expect((await user.call('get_state')).text).toContain('about:blank')
  })

  test('that hang can be closed', async () => {
    const hung = tabIn((await user.call('navigate', { url: `${user.pages.url}/endless.html`, new_tab: true })).text)
    const index = await user.numberOf('Hang')
    await expect(user.call('click', { index }, { signal: AbortSignal.timeout(1500) })).rejects.toThrow()
    expect((await user.call('close_tab', { tab_id: hung })).text).toContain(`Closed tab ${hung}`)
    expect((await user.open('index.html')).is_error).toBe(false)
  })

  test('that crash say so, and open the next page', async () => {
    await user.open('index.html')
    const { text } = await user.call('navigate', { url: 'about:blank' })
    expect(text).toContain('about:blank')
    await user.sandbox.handle.exec({ argv: ['pkill', '-KILL', '-f', '[-]-type=renderer'] })
    const crashed = await untilCrashed()
    expect(crashed).toContain('The page crashed. Open it again')
    expect((await user.open('index.html')).text).toContain('"Shop"')
  })
})

function tabIds(text: string): string[] {
  return [...text.matchAll(/^[*-] (\w+) /gm)].map(match => match[1] ?? '')
}

async function untilCrashed(): Promise<string> {
  for (;;) {
    const { text, is_error } = await user.call('get_content')
    if (is_error) return text
  }
}
