import { expect } from 'vitest'
import { readBundledImage } from '../../../server/sandbox/image.ts'
import { it as base } from '../../fixtures/window.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'
import { resourcesDir } from '../../sandbox/parts.ts'

const test = base.extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
  const image = (await readBundledImage(resourcesDir))?.reference
  const configuration = {
    name: 'Shop',
    image,
    containerEnv: { COLOUR: 'blue' },
    postCreateCommand: 'echo "set up in $COLOUR" > created.txt',
    runArgs: ['--privileged'],
    initializeCommand: 'touch /tmp/never',
  }
  const folder = new TestFolder().write({ '.devcontainer/devcontainer.json': JSON.stringify(configuration) }).commit()
  onCleanup(() => folder.remove())
  return folder
})

test('a dev container is offered with what is left out, and the conversation works in it', async ({
  desktop,
  model,
  folder,
}) => {
  const { page } = desktop
  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: 'cat created.txt' } }] },
    { toolCalls: [{ name: 'finish', arguments: { message: 'It is set up.' } }] },
  ])
  await page.getByRole('button', { name: /^Folder:/ }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill(folder.path)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Dev container:/ }).click()
  await page.getByText('Left out, as it would run on this computer: initializeCommand.').waitFor()
  await page.getByText('Left out, as it would lift what confines the sandbox: runArgs.').waitFor()
  await look(desktop, 'dev-container-offer')
  await page.getByRole('radio', { name: /^Shop/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('button', { name: /^Sandbox:/ }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('See whether it is set up')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('It is set up.').waitFor()
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('set up in blue')
})
