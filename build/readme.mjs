import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { electronFlags, electronProgram } from './electron.mjs'
import { withDisplay } from './machine/display.mjs'
import { projectFolder } from './machine/paths.mjs'
import { runMain, say } from './machine/progress.mjs'
import { machineEnv, setUp } from './setup.mjs'

const SIZE = { width: 1280, height: 840 }
const PATIENCE_MS = 120_000

/** `node build/readme.mjs` makes the picture of README.md: the demonstration at its end. */
await runMain(async () => {
  const machine = await setUp({ electron: true, tests: true })
  if (!machine.electron) throw new Error('Set-up gave no Electron.')
  const program = electronProgram(machine.electron.folder)
  await withDisplay(machineEnv(machine), env => takePicture(program, env))
})

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
async function takePicture(program, env) {
  const { _electron } = await import('playwright')
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-readme-'))
  const app = await _electron.launch({
    executablePath: program,
    args: [...electronFlags(), projectFolder],
    env: /** @type {Record<string, string>} */ ({
      ...env,
      ATELIER_DATA_DIR: dataDir,
      ATELIER_PORT: '0',
      ATELIER_GATEWAY_PORT: '0',
      ATELIER_PREVIEW_PORT: '0',
      ATELIER_PREPARED_SANDBOXES: '0',
    }),
    chromiumSandbox: electronFlags().length === 0,
  })
  try {
    const page = await app.firstWindow()
    page.setDefaultTimeout(PATIENCE_MS)
    await app.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(width, height)
    }, SIZE)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Watch the demonstration' }).click()
    await page.locator('header').getByRole('status').getByText('done', { exact: true }).waitFor()
    const hide = page.getByRole('button', { name: 'Hide', exact: true })
    if (await hide.isVisible()) await hide.click()
    const file = join(projectFolder, 'build', 'readme', 'conversation.png')
    await page.screenshot({ path: file })
    say(`✓ The picture is ${file}`)
    await deleteSandboxes(await page.evaluate(() => window.atelier?.connection()))
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * The engine keeps what the demonstration has made until it is deleted.
 * @param {{url: string, key: string} | undefined} connection
 */
async function deleteSandboxes(connection) {
  if (!connection) throw new Error('The window has no bridge.')
  const headers = { 'X-Session-API-Key': connection.key }
  const sandboxes = `${connection.url}/api/v1/sandboxes`
  const { items } = await (await fetch(`${sandboxes}/search`, { headers })).json()
  for (const { id } of items) await fetch(`${sandboxes}/${id}`, { method: 'DELETE', headers })
}
