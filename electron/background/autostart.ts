import { readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { replaceFile } from '../replace-file.ts'
import { t } from '../text.ts'
import { autostartEntry, HIDDEN_SWITCH, isStarted, names } from './autostart-entry.ts'

/** Whether the app starts at log-in. The system's own record says so, also where another program has changed it. */
export function startsAtLogin(env: NodeJS.ProcessEnv): boolean {
  if (process.platform !== 'linux') return app.getLoginItemSettings(LOGIN_ITEM).openAtLogin
  const entry = readEntry(entryFile(env))
  return entry !== undefined && isStarted(entry)
}

/** @throws when the system refuses */
export function setStartsAtLogin(starts: boolean, env: NodeJS.ProcessEnv): void {
  if (process.platform !== 'linux') return app.setLoginItemSettings({ ...LOGIN_ITEM, openAtLogin: starts })
  const file = entryFile(env)
  if (!starts) return rmSync(file, { force: true })
  replaceFile(file, autostartEntry(process.execPath, t('summary')))
}

/** Names the program where it is now. An update or a person may have moved it. */
export function refreshAutostart(env: NodeJS.ProcessEnv): void {
  try {
    if (process.platform !== 'linux') return
    const entry = readEntry(entryFile(env))
    // What a person has added to a right one stays.
    if (entry !== undefined && isStarted(entry) && !names(entry, process.execPath)) setStartsAtLogin(true, env)
  } catch {
    // A folder that cannot be written leaves the entry as it is.
  }
}

/** Whether this start is one at log-in, which opens no window in front. */
export function isHiddenStart(argv: readonly string[]): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin
  return argv.includes(HIDDEN_SWITCH)
}

const LOGIN_ITEM = { args: [HIDDEN_SWITCH] }

function entryFile({ XDG_CONFIG_HOME: config }: NodeJS.ProcessEnv): string {
  return join(config || join(homedir(), '.config'), 'autostart', 'atelier.desktop')
}

function readEntry(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
