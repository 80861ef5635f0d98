import { app, dialog } from 'electron'
import type { ServiceHost } from './service/host.ts'
import { t } from './text.ts'
import type { Windows } from './window/windows.ts'

/**
 * A service that has ended by itself is started anew, once, and so is it after an error of the app that nobody caught, which has
 * left that in a state that nobody knows. The second time the app ends, so that it is never a loop. A report of each is kept in
 * the data folder, without secrets.
 */
export function restartAfterCrash(host: ServiceHost, windows: Pick<Windows, 'reload'>): void {
  let hasCrashed = false
  let isEnding = false
  const crashed = (report: string | null): void => {
    if (isEnding) return
    if (!hasCrashed && host.url() !== null) {
      hasCrashed = true
      host.restart()
      windows.reload()
      return
    }
    isEnding = true
    // Nobody may be there to see it: what nobody knows is not left to work on behind a question.
    const closed = host.close().catch(() => {})
    void endAfterCrash(report ?? '', closed)
  }
  host.onCrash(crashed)
  process.on('uncaughtException', error => {
    if (!isEnding) void host.reportCrash(error).then(crashed)
  })
  // Electron's own calls reject when a page goes away: that is no crash, and is only written down.
  process.on('unhandledRejection', reason => host.logUnexpected(reason))
}

/** What takes this long to close after a crash is given up. */
const CLOSE_MS = 10_000

async function endAfterCrash(detail: string, closed: Promise<void>): Promise<void> {
  await dialog
    .showMessageBox({ type: 'error', message: t('crashedAgain'), detail, buttons: [t('quit')] })
    .catch(() => {})
  await Promise.race([closed, new Promise(resolve => setTimeout(resolve, CLOSE_MS))])
  app.exit(1)
}
