import { app, Menu } from 'electron'
import { t } from './text.ts'

/** What the app's own icon offers, in the dock of macOS and in the jump list of Windows. On Linux its desktop entry does. */
export function offerShortcuts(newConversation: () => void): void {
  const title = t('newConversation')
  app.dock?.setMenu(Menu.buildFromTemplate([{ label: title, click: newConversation }]))
  if (process.platform !== 'win32') return
  app.setUserTasks([
    {
      program: process.execPath,
      arguments: 'atelier://new',
      title,
      description: title,
      iconPath: process.execPath,
      iconIndex: 0,
    },
  ])
}
