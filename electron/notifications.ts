import { type BrowserWindow, Notification } from 'electron'

/** Shown only while the window is not in front; a click brings it there. */
export function showNotification(text: { title: string; body: string }, window: BrowserWindow): void {
  if (window.isFocused() || !Notification.isSupported()) return
  const notification = new Notification(text)
  notification.on('click', () => bringToFront(window))
  notification.show()
}

export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
