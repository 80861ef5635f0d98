import { app, BrowserWindow, dialog } from 'electron'
import { HIDDEN_SWITCH } from './background/autostart-entry.ts'
import type { AtWork } from './service/calls.ts'
import type { ServiceHost } from './service/host.ts'
import { t } from './text.ts'
import type { Updates } from './updates/updates.ts'

/** What is allowed to take until the process ends, whatever hangs; and with an update, which the end would leave out. */
const CLOSE_MS = 2_800
const CLOSE_FOR_UPDATE_MS = 30_000

/**
 * Ends the service before the app, and then installs an update that waits for that. While agents work, or programs run
 * in terminals, a person is asked first; a signal, as at the end of the desktop's session, asks nobody, not even for the password that an update may need.
 * @returns what closes the app without a question, and starts it again
 */
export function closeBeforeQuit(host: ServiceHost, updates: Updates): () => void {
  let phase: 'open' | 'asking' | 'closing' = 'open'
  const close = (end?: () => void): void => {
    phase = 'closing'
    setTimeout(() => app.exit(1), end ? CLOSE_FOR_UPDATE_MS : CLOSE_MS).unref()
    host.close().then(
      () => {
        end?.()
        app.exit(0)
      },
      () => app.exit(1),
    )
  }
  const install = (): void => {
    // Nothing answers in a window from here on.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    if (updates.install()) startAgain()
  }
  const ask = async (): Promise<void> => {
    phase = 'asking'
    const atWork = await host.atWork()
    if (isClosing()) return
    const endsNothing = atWork.agents === 0 && atWork.terminals === 0
    const isLeaving = (endsNothing || (await mayQuit(atWork))) && (await updates.prepare())
    // A signal may have come in between.
    if (isClosing()) return
    if (isLeaving) return close(updates.isPrepared() ? install : undefined)
    phase = 'open'
    updates.stay()
    // The window may be what was closed. This is how the desktop itself asks for one again.
    if (BrowserWindow.getAllWindows().length === 0) app.emit('activate')
  }
  const isClosing = (): boolean => phase === 'closing'
  app.on('before-quit', event => {
    event.preventDefault()
    if (phase === 'open') void ask()
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isClosing()) close()
    })
  }
  return () => {
    if (isClosing()) return
    startAgain()
    close()
  }
}

/** Once this process has ended, however it does. */
function startAgain(): void {
  app.relaunch({ args: process.argv.slice(1).filter(isForEveryStart) })
}

/** What a start was about is over: a folder, a link, a window that nobody was to see. */
function isForEveryStart(argument: string): boolean {
  return argument.startsWith('--') && argument !== HIDDEN_SWITCH && !argument.startsWith('--folder')
}

async function mayQuit({ agents, terminals }: AtWork): Promise<boolean> {
  const question = {
    type: 'question' as const,
    message: [
      ...(agents > 0 ? [t('agentsAreWorking', { count: agents })] : []),
      ...(terminals > 0 ? [t('programsRunInTerminals', { count: terminals })] : []),
    ].join('\n'),
    detail: [
      ...(agents > 0 ? [t('agentsStopWhenYouQuit')] : []),
      ...(terminals > 0 ? [t('programsEndWhenYouQuit')] : []),
    ].join('\n'),
    buttons: [t('quit'), t('keepWorking')],
    defaultId: 1,
    cancelId: 1,
  }
  const window = BrowserWindow.getAllWindows().find(each => each.isVisible())
  const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))
  return response === 0
}
