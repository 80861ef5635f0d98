import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { erasureMarks, windowFolder } from '../server/data-dir.ts'
import { messageOf } from '../server/domain/errors.ts'
import { setStartsAtLogin } from './background/autostart.ts'
import { t } from './text.ts'

/** Chromium's lock on its folder, which this process has by now. It names the process and the computer alone. */
const LOCK = /^(Singleton.*|lockfile)$/

/** Whether the service has deleted its part, and the next start of the app deletes the rest. */
export function isRestToErase(dataDir: string): boolean {
  const { service, desktop } = erasureMarks(dataDir)
  return existsSync(desktop) && !existsSync(service)
}

/**
 * Deletes what the desktop app has of a person once deleting all data has begun: Chromium's profile, the choices, the updates and
 * the start at log-in. Chromium keeps deleted text in its databases for a while, so its files go, before it opens them.
 * Must be called before Electron is ready, by the one app that has the folder.
 */
export function eraseRest(dataDir: string, env: NodeJS.ProcessEnv): void {
  const { service, desktop } = erasureMarks(dataDir)
  if (!existsSync(service) && !existsSync(desktop)) return
  const left: string[] = []
  const attempt = (what: string, act: () => void): void => {
    try {
      act()
    } catch (error) {
      left.push(`${what} (${messageOf(error)})`)
    }
  }
  const remove = (path: string) =>
    attempt(path, () => rmSync(path, { recursive: true, force: true, maxRetries: MAX_RETRIES }))
  const folder = windowFolder(dataDir)
  attempt(folder, () => {
    for (const name of readdirSync(folder)) if (!LOCK.test(name)) remove(join(folder, name))
  })
  // The app that ran meanwhile may have written its record anew.
  remove(join(dataDir, 'updates'))
  if (app.isPackaged) attempt(t('startAtLogin'), () => setStartsAtLogin(false, env))
  // A service that has not finished does so before a window is answered, and until then this comes again with each start.
  remove(desktop)
  if (left.length > 0) void app.whenReady().then(() => dialog.showErrorBox(t('notAllDeleted'), left.join('\n')))
}

/** Windows refuses as long as a scanner of viruses has a file open. */
const MAX_RETRIES = 8
