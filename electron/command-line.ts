import { join } from 'node:path'
import { app } from 'electron'
import { dataDirOf } from '../server/data-dir.ts'
import { startKeychainProcess } from './service/keychain.ts'

/** Stands before the words of the command line: what comes after it is neither Electron's nor Chromium's. */
const SWITCH = '--command'

/** There is no window, and there may be no display. */
const WITHOUT_DISPLAY = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3']

/** The words after `--command --`, as `bin/atelier` of the package gives them; undefined for the app itself. */
export function commandWords(argv: readonly string[]): string[] | undefined {
  const at = argv.indexOf(SWITCH)
  return at !== -1 && argv[at + 1] === '--' ? argv.slice(at + 2) : undefined
}

/** Runs one command with what the app carries, and ends. `bundle` is the folder that holds `electron/main.js`'s. */
export async function runCommand(bundle: string, words: readonly string[]): Promise<void> {
  // The app may run at the same time: its window's files are its own.
  app.setPath('userData', join(dataDirOf(process.env), 'command-line'))
  app.dock?.hide()
  await app.whenReady()
  const { runCommandLine } = await import('../server/cli/command-line.ts')
  const version = app.getVersion()
  const keychain = () => startKeychainProcess(join(bundle, 'server', 'keychain-process.js'))
  const resourcesDir = app.isPackaged ? process.resourcesPath : join(bundle, 'resources')
  const isRoot = process.getuid?.() === 0
  const exitCode = await runCommandLine(words, {
    version,
    startKeychainProcess: keychain,
    serve: async () =>
      (await import('../server/headless.ts')).serveHeadless({
        out: bundle,
        version,
        resourcesDir,
        startKeychainProcess: keychain,
      }),
    openMachineDoctor: async dataDir =>
      (await import('../server/diagnose.ts')).openMachineDoctor({
        dataDir,
        resourcesDir,
        startKeychainProcess: keychain,
        env: process.env,
      }),
    self: {
      program: process.execPath,
      args: [...(isRoot ? ['--no-sandbox'] : []), ...WITHOUT_DISPLAY, SWITCH, '--'],
    },
  })
  app.exit(exitCode)
}
