import { BrowserWindow, Notification } from 'electron'
import { CHANNELS, type DesktopNotification } from './ipc.ts'
import { t } from './text.ts'
import type { Windows } from './window/windows.ts'

/** In the order of their buttons. */
const ANSWERS = ['accept', 'reject'] as const

/** A notification that is collected as garbage tells no clicks any more. */
const shown = new Set<Notification>()
const MAX_SHOWN = 50

/**
 * Shown only while none of our windows is in front. A click opens the conversation where it is shown, or in the main window.
 * macOS and Windows have a button for each answer, where the call can be answered there.
 */
export function showNotification({ title, body, ...about }: DesktopNotification, windows: Windows): void {
  if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
  const answers = about.call === null ? [] : ANSWERS
  const actions = answers.map(answer => ({ type: 'button' as const, text: t(answer) }))
  const notification = new Notification({ title, body, actions })
  notification.on('click', () => windows.showConversation(about.conversation))
  notification.on('action', (_event, index) => {
    const choice = answers[index]
    const window = windows.any()
    if (choice && window) window.webContents.send(CHANNELS.notificationChoice, { ...about, choice })
    else windows.showConversation(about.conversation)
  })
  // One that has gone from the screen may still stand in the desktop's list of them.
  const [oldest] = shown
  if (oldest && shown.size >= MAX_SHOWN) shown.delete(oldest)
  shown.add(notification)
  notification.show()
}
