import { BrowserWindow, dialog } from 'electron'
import type { ServiceHost } from './service/host.ts'
import { watchForHang } from './service/watch.ts'
import { t } from './text.ts'
import type { Windows } from './window/windows.ts'

/**
 * A service that does not answer for long is offered to be started anew. A person decides, as nobody else knows whether it hangs
 * or works hard: the one start after a crash stays unused. The question goes by itself when the service answers.
 */
export function offerRestartOfHanging(host: ServiceHost, windows: Pick<Windows, 'reload'>): void {
  let question: AbortController | undefined
  const offer = async (asked: AbortController): Promise<void> => {
    const isChosen = await isRestartChosen(asked.signal).catch(() => false)
    if (asked.signal.aborted) return
    // Another may have taken its place meanwhile.
    if (!isChosen || !host.isReady()) return watch.wait()
    host.restartHanging()
    windows.reload()
  }
  const watch = watchForHang({
    isReady: host.isReady,
    ask: host.ping,
    onHang() {
      question = new AbortController()
      void offer(question)
    },
    onEnd: () => question?.abort(),
  })
}

/** Beside the windows, which go on; on macOS only one that belongs to a window holds nothing up, and is asked for later where none is seen. */
async function isRestartChosen(signal: AbortSignal): Promise<boolean> {
  const question = {
    type: 'warning' as const,
    message: t('hangs'),
    detail: t('hangMeans'),
    buttons: [t('startAgain'), t('wait')],
    defaultId: 1,
    cancelId: 1,
    signal,
  }
  if (process.platform !== 'darwin') return (await dialog.showMessageBox(question)).response === 0
  const window = BrowserWindow.getAllWindows().find(each => each.isVisible())
  return window !== undefined && (await dialog.showMessageBox(window, question)).response === 0
}
