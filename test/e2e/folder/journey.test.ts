import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = new TestFolder().write({ 'shop.py': SHOP, 'README.md': '# Shop\n' }).commit()
    onCleanup(() => folder.remove())
    folder.write({ 'notes.py': STAGED })
    return folder
  })
  .extend('read', { scope: 'file' }, ({ folder }) => (name: string) => {
    return readFileSync(join(folder.path, name), 'utf8')
  })

const SHOP = 'PRICE = 1\n\n\ndef total(count):\n    return count * PRICE\n'
const STAGED = 'NOTES = "mine, not committed"\n'

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })
const finish = (message: string) => ({ toolCalls: [{ name: 'finish', arguments: { message } }] })
const answer = (comment: number, text: string) => ({
  name: 'answer_review_comment',
  arguments: { comment, outcome: 'done', text },
})

test('from a folder to a review and back: the agent changes what the comments ask for, and the folder gets it, undone and done again', async ({
  desktop,
  folder,
  model,
  read,
}) => {
  const { page } = desktop
  const status = folder.git('status', '--porcelain')
  const button = (name: string | RegExp) => page.getByRole('button', { name })

  await button(/^Folder:/).click()
  await page.getByRole('combobox', { name: 'Folder' }).pressSequentially(folder.path)
  await page.getByRole('switch', { name: 'Copy 1 uncommitted file too' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  model.setScript([
    run("sed -i 's/PRICE = 1/PRICE = 200/' shop.py"),
    finish('The price is 200 now.'),
    run(
      "sed -i 's/PRICE = 200/PRICE = 2/; s/count \\* PRICE/max(count, 0) * PRICE/' shop.py; echo 'assert 1' >test_shop.py",
    ),
    { toolCalls: [answer(1, 'Double it is.'), answer(2, 'None is sold then, and test_shop.py proves it.')] },
    finish('The price is 2, and a count below zero is none. test_shop.py proves it.'),
  ])
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.pressSequentially('Double the price.')
  await task.press('Control+Enter')
  await page.getByText('The price is 200 now.').waitFor()

  const listed = page.getByRole('tabpanel', { name: 'Changes' })
  await listed.getByRole('button', { name: /shop\.py/ }).waitFor()
  await button('Review…').click()
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByRole('table', { name: 'Changes in shop.py' }).waitFor()
  const comment = async (line: number, text: string) => {
    await review
      .getByRole('button', { name: `Comment on line ${line}` })
      .last()
      .click()
    await hasFocus(review.getByRole('textbox').last())
    await page.keyboard.type(text)
    await review.getByRole('button', { name: 'Add comment' }).click()
  }
  await comment(1, 'Double is 2, not 200.')
  await page.keyboard.press('w')
  await comment(5, 'What of a count below zero? Add a test.')
  await look(desktop, 'journey-folder-review')
  await review.getByRole('button', { name: 'Send 2 comments' }).click()
  await review.waitFor({ state: 'detached' })
  await page.getByText('The price is 2, and a count below zero is none.').waitFor()
  const told = JSON.stringify(model.requests.at(-1)?.body)
  for (const words of ['Double is 2, not 200.', 'Add a test.']) {
    expect(told).toContain(words)
  }
  // The run was short: what it changed is there all the same.
  await listed.getByRole('button', { name: /test_shop\.py/ }).waitFor()
  await look(desktop, 'journey-folder-answered')
  await button('Review…').click()
  await review.getByText('PRICE = 2', { exact: true }).waitFor()
  for (const words of ['Double it is.', 'None is sold then']) await review.getByText(words).waitFor()
  await look(desktop, 'journey-folder-answers')
  await page.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  expect([read('shop.py'), folder.git('status', '--porcelain')]).toEqual([SHOP, status])

  const apply = async () => {
    await button('Apply to folder…').click()
    const dialog = page.getByRole('dialog', { name: 'Apply changes to your folder' })
    await dialog.getByText('2 files', { exact: true }).waitFor()
    await look(desktop, 'journey-folder-apply')
    await dialog.getByRole('button', { name: 'Apply 2 files' }).click()
    await page.getByText('2 files were applied.').waitFor()
    const changed = SHOP.replace('PRICE = 1', 'PRICE = 2').replace('count * PRICE', 'max(count, 0) * PRICE')
    expect([read('shop.py'), read('test_shop.py'), read('notes.py')]).toEqual([changed, 'assert 1\n', STAGED])
  }
  await apply()
  // Its clock stands still meanwhile.
  await page.getByRole('region', { name: 'Notices' }).getByRole('group').first().hover()
  await look(desktop, 'journey-folder-applied')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('2 files are as they were before.').waitFor()
  expect([read('shop.py'), existsSync(join(folder.path, 'test_shop.py'))]).toEqual([SHOP, false])
  expect(folder.git('status', '--porcelain')).toBe(status)
  await apply()
  expect(folder.git('status', '--porcelain').split('\n').sort()).toEqual([
    '?? notes.py',
    '?? test_shop.py',
    'M shop.py',
  ])
  expect(folder.git('log', '--format=%s')).toBe('First')
})
