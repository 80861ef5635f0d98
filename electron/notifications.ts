import { BrowserWindow, Notification } from 'electron'
import { CHANNELS, type DesktopNotification, type NotificationChoice } from './ipc.ts'
import { t } from './text.ts'
import { bringToFront } from './window/front.ts'

/** In the order of their buttons. */
const ANSWERS = ['accept', 'reject'] as const

/** What is forgotten hears no clicks any more. */
const shown = new Set<Notification>()
const MAX_SHOWN = 50

/**
 * Shown only while none of our windows is in front; a click brings the given one there. macOS and Windows have a button for each answer, where
 * the call can be answered there.
 */
export function showNotification({ title, body, ...about }: DesktopNotification, window: BrowserWindow): void {
  if (BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
  const answers = about.call === null ? [] : ANSWERS
  const actions = answers.map(answer => ({ type: 'button' as const, text: t(answer) }))
  const notification = new Notification({ title, body, actions })
  const tell = (choice: NotificationChoice['choice']) => {
    shown.delete(notification)
    if (!window.isDestroyed()) window.webContents.send(CHANNELS.notificationChoice, { ...about, choice })
  }
  notification.on('click', () => {
    bringToFront(window)
    tell('open')
  })
  notification.on('action', (_event, index) => tell(answers[index] ?? 'open'))
  notification.on('close', () => shown.delete(notification))
  const [oldest] = shown
  if (oldest && shown.size >= MAX_SHOWN) shown.delete(oldest)
  shown.add(notification)
  notification.show()
}
