import { app, BrowserWindow, dialog } from 'electron'
import type { ServiceHost } from './service-host.ts'
import { t } from './text.ts'

/** What is allowed to take until the process ends, whatever hangs. */
const CLOSE_MS = 2_800

/**
 * Ends the service before the app. While agents work a person is asked first; a signal, as at the end of the desktop's
 * session, asks nobody.
 */
export function closeBeforeQuit(host: ServiceHost): void {
  let phase: 'open' | 'asking' | 'closing' = 'open'
  const close = (): void => {
    phase = 'closing'
    setTimeout(() => app.exit(1), CLOSE_MS).unref()
    host.close().then(
      () => app.exit(0),
      () => app.exit(1),
    )
  }
  const ask = async (working: number): Promise<void> => {
    phase = 'asking'
    if (await mayQuit(working)) return close()
    phase = 'open'
    // The window may be what was closed. This is how the desktop itself asks for one again.
    if (BrowserWindow.getAllWindows().length === 0) app.emit('activate')
  }
  app.on('before-quit', event => {
    event.preventDefault()
    if (phase !== 'open') return
    const working = host.activity().working.length
    if (working === 0) close()
    else void ask(working)
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (phase !== 'closing') close()
    })
  }
}

async function mayQuit(working: number): Promise<boolean> {
  const question = {
    type: 'question' as const,
    message: t('agentsAreWorking', { count: working }),
    detail: t('agentsStopWhenYouQuit'),
    buttons: [t('quit'), t('keepWorking')],
    defaultId: 1,
    cancelId: 1,
  }
  const window = BrowserWindow.getAllWindows().find(each => each.isVisible())
  const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))
  return response === 0
}
