import { expect } from 'vitest'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { it as test } from '../../fixtures/terminal.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

test.beforeAll(async ({ desktop, model }) => {
  const { page } = desktop
  model.setScript([{ text: 'Here I am.' }])
  const task = await startConversation(desktop.service, { title: 'Shells', initial_message: said('Hello') })
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
  await page.getByText('Here I am.').first().waitFor()
})

test('there is none at first, and the panel says what one is', async ({ tab, desktop }) => {
  await tab('Terminal').click()
  await desktop.page.getByText('No terminal is open').waitFor()
  await look(desktop, 'terminal-none')
})

test('a shell is opened with a button, takes keys at once, and runs in the workspace', async ({
  desktop,
  screen,
  run,
  shows,
}) => {
  await desktop.page.getByRole('button', { name: 'New terminal' }).click()
  await hasFocus(screen().getByRole('textbox'))
  await run('PS1="$ "; clear; pwd')
  await shows('/workspace/project')
  await run(
    'printf "\\033[31mred \\033[32mgreen \\033[33myellow \\033[34mblue \\033[35mmagenta \\033[36mcyan\\033[0m\\n"',
  )
  await shows('red green yellow')
  await look(desktop, 'terminal-colours')
})

test('Esc belongs to the shell, and Shift+Esc leads out of it', async ({ desktop, screen, run, shows, tab }) => {
  const { page } = desktop
  await screen().getByRole('textbox').focus()
  await run('cat -v')
  await page.keyboard.press('Escape')
  await run('')
  await shows('^[')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Shift+Escape')
  expect(await tab('Terminal 1').evaluate(element => element === document.activeElement)).toBe(true)
})

test('tabs are made, chosen and renamed with keys, and a reload restores the screen', async ({
  desktop,
  screen,
  tab,
  shows,
  run,
}) => {
  const { page } = desktop
  await screen().getByRole('textbox').focus()
  await page.keyboard.press('Control+Shift+T')
  await tab('Terminal 2').waitFor()
  await shows('/workspace/project#')
  await hasFocus(screen().getByRole('textbox'))
  await run('PS1="$ "; clear; echo sec""ond')
  await shows('second')
  await page.keyboard.press('Control+PageUp')
  await shows('red green')
  await tab('Terminal 1').press('F2')
  await hasFocus(page.getByRole('textbox', { name: 'Name of Terminal 1' }))
  await page.keyboard.type('Build')
  await page.keyboard.press('Enter')
  await tab('Build').waitFor()
  await page.reload()
  await tab('Build').click()
  await shows('red green')
  await tab('Terminal 2').click()
  await shows('second')
})

test('finds text, with the number of matches', async ({ desktop, screen, run, shows }) => {
  const { page } = desktop
  await screen().getByRole('textbox').focus()
  await run('seq 1000 1020')
  await shows('1020')
  await page.keyboard.press('Control+Shift+F')
  await hasFocus(page.getByRole('textbox', { name: 'Find', exact: true }))
  await page.keyboard.type('101')
  await page.getByText('1 of 10').waitFor()
  await page.keyboard.press('Escape')
  await hasFocus(screen().getByRole('textbox'))
})

test('a program that writes without end is stopped with a key', async ({ desktop, run, shows }) => {
  const { page } = desktop
  await run('yes')
  await shows('y\ny\ny\ny')
  await page.keyboard.press('Control+c')
  await run('clear; echo sto""pped')
  await shows('stopped')
})

test('a program that means harm reaches neither the clipboard, the title, nor the keys', async ({
  desktop,
  run,
  shows,
}) => {
  const { page, app } = desktop
  const title = await page.title()
  await app.evaluate(({ clipboard }) => clipboard.writeText('untouched'))
  await run(
    'printf "\\033]52;c;aGFybQ==\\007\\033]0;harm\\007\\033]2;harm\\007\\033[21t\\033P\\$qharm\\033\\\\\\\\\\007\\007\\007"; sleep 0.3; echo aft""er',
  )
  await shows('after')
  await run('echo it wo""rks')
  await shows('it works')
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('untouched')
  expect(await page.title()).toBe(title)
  await run(
    'printf "\\033]8;;file:///etc/passwd\\007local\\033]8;;\\007 \\033]8;;https://example.com/\\007web\\033]8;;\\007\\n"',
  )
  await shows('local web')
})

test('localhost in an address that a program prints is the sandbox', async ({ desktop, run, screen, shows, tab }) => {
  const { page } = desktop
  await run('clear; echo "<title>Of the sandbox</title>" >index.html; python3 -m http.server 8123 &')
  await shows('Serving HTTP on 0.0.0.0 port 8123')
  await run('clear; echo http://localhost:81""23/')
  await shows('http://localhost:8123/')
  const address = screen().locator('.xterm-rows').getByText('http://localhost:8123/').last()
  await address.hover({ position: { x: 40, y: 5 }, force: true })
  // Below the screen stands where the link would lead.
  await page.locator('#terminal-screen ~ *').getByText('http://localhost:8123/', { exact: true }).waitFor()
  await page.mouse.down()
  await page.mouse.up()
  await page.getByRole('tab', { name: /^Preview/, selected: true }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('localhost:8123')
  await tab('Terminal').click()
  await screen().getByRole('textbox').focus()
  await run('kill %1; clear')
})

test('a paste of several lines asks where the program would run each', async ({ desktop, run, screen, shows }) => {
  const { page, app } = desktop
  await run('bind "set enable-bracketed-paste off"; clear; echo pl""ain')
  // The shell has said by then that it no longer tells a paste from keys.
  await shows('plain')
  await app.evaluate(({ clipboard }) => clipboard.writeText('echo one\necho two\x1b'))
  await screen().getByRole('textbox').focus()
  // What the menu's Ctrl+Shift+V does; keys of a test reach no menu.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.pasteAndMatchStyle())
  await page.getByRole('alertdialog', { name: 'Paste 2 lines?' }).waitFor()
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  await shows('one')
})

test('a terminal that runs a program is closed only when it is meant', async ({ desktop, screen, run, shows, tab }) => {
  const { page } = desktop
  await screen().getByRole('textbox').focus()
  await page.keyboard.press('Enter')
  await run('echo beg""un; sleep 1000')
  await shows('begun')
  await page.getByRole('button', { name: 'Close Terminal 2' }).click()
  await page.getByText('sleep runs in this terminal.').waitFor()
  await page.getByRole('button', { name: 'Close terminal' }).click()
  await expect.poll(() => tab('Terminal 2').count()).toBe(0)
})

test('a shell that has ended says so and begins anew', async ({ desktop, shows, screen, run }) => {
  const { page } = desktop
  await shows('red green')
  await screen().getByRole('textbox').focus()
  await run('exit 3')
  await page.getByText('The shell ended with exit code 3.').waitFor()
  await look(desktop, 'terminal-ended')
  await page.getByRole('button', { name: 'Start a new shell' }).click()
  await expect.poll(() => page.getByText('The shell ended with exit code 3.').count()).toBe(0)
})

test('the shell of the agent is shown as it works, and can be taken over', async ({
  desktop,
  tab,
  model,
  shows,
  screen,
  run,
}) => {
  const { page, service } = desktop
  await page.keyboard.press('Shift+Escape')
  await tab('Agent').click()
  const line = page.getByRole('textbox', { name: 'Command for the shell of the agent' })
  await page.getByText('While it does not work, you can run commands here too.').waitFor()
  const part = 'for i in 1 2 3; do echo "building part $i of the page"; done'
  model.setScript([
    tool('terminal', { command: `printf "\\033[32m✓\\033[0m 12 tests passed\\n"; ${part}; ls no-such-file` }),
    tool('terminal', { command: 'cd /tmp; read -p "Go on? " -r word; echo "You said $word."' }),
    { text: 'One file is missing.' },
  ])
  const id = new URL(page.url()).hash.split('/').at(-1) ?? ''
  await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Build it') })
  await shows('building part 3 of the page')
  await shows('[Exit code 2]')
  await shows('Go on?')
  await page.getByText('The agent works in this shell.').waitFor()
  await look(desktop, 'terminal-agent')
  await screen().locator('.xterm-screen').click()
  await run('not taken over')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByText('Your keys go to the program that runs.').waitFor()
  await hasFocus(screen().getByRole('textbox'))
  await run('yes')
  await shows('You said yes.')
  await hasFocus(line)
  await run('pwd; sleep 1000')
  await shows('/tmp\n')
  await look(desktop, 'terminal-agent-taken')
  await screen().locator('.xterm-screen').click()
  await page.keyboard.press('Control+c')
  await shows('[Exit code 130]')
  await hasFocus(line)
  await page.keyboard.press('ArrowUp')
  expect(await line.inputValue()).toBe('pwd; sleep 1000')
  await page.keyboard.press('Shift+Escape')
  expect(await tab('Agent').evaluate(element => element === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await shows('red green')
})
