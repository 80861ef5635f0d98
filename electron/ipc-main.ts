import { app, type BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, nativeTheme, webContents } from 'electron'
import { languageOf } from '../server/api/languages.ts'
import type { AppBackground } from './background/background.ts'
import type { Downloads } from './downloads/downloads.ts'
import { findEditors, openInEditor } from './editors/open.ts'
import { type Answer, CHANNELS, type Connection, UPDATE_ACTIONS } from './ipc.ts'
import {
  isConversationId,
  isOwnPage,
  parseDownloadRequest,
  parseEditorRequest,
  parseNotification,
} from './ipc-checks.ts'
import { Notifications } from './notification/notifications.ts'
import { openPreviewSession } from './preview/session.ts'
import { openInBrowser } from './security.ts'
import { speak, t } from './text.ts'
import type { Updates } from './updates/updates.ts'
import type { Windows } from './window/windows.ts'

export interface Bridge {
  connect: () => Promise<Connection>
  /** What has sentences is to be made anew. */
  onLanguage: () => void
  /** The windows that may ask. */
  windows: Windows
  updates: Updates
  downloads: Downloads
  background: AppBackground
  /** @returns whether the app starts again to delete the rest */
  beginAnew: () => boolean
}

/** The desktop's side of `ipc.ts`. Every call is checked: who asks, then what. */
export function answerWindows(bridge: Bridge): void {
  const { connect, onLanguage, windows, background, updates, downloads, beginAnew } = bridge
  const notifications = new Notifications(windows, process.env)
  handle(CHANNELS.connection, connect)
  handle(CHANNELS.chooseFolder, async (_argument, owner) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(owner, {
      properties: ['openDirectory', 'createDirectory'],
    })
    return canceled ? null : (filePaths[0] ?? null)
  })
  handle(CHANNELS.openConversation, async id => {
    if (isConversationId(id)) windows.openConversation(id)
  })
  handle(CHANNELS.openExternal, async address => {
    if (typeof address === 'string') openInBrowser(address)
  })
  handle(CHANNELS.editors, findEditors)
  handle(CHANNELS.openInEditor, async request => {
    const parsed = parseEditorRequest(request)
    if (parsed) await openInEditor(await connect(), parsed)
  })
  handle(CHANNELS.download, async (request, owner) => {
    const parsed = parseDownloadRequest(request)
    if (parsed) downloads.start(await connect(), owner, parsed)
  })
  handle(CHANNELS.cancelDownload, async id => {
    if (typeof id === 'number') downloads.cancel(id)
  })
  handle(CHANNELS.openPreview, async sandboxId => openPreviewSession(await connect(), String(sandboxId)))
  handle(CHANNELS.pictureOfPreview, async (contentsId, owner) => {
    const guest = typeof contentsId === 'number' ? webContents.fromId(contentsId) : undefined
    if (guest?.hostWebContents?.id !== owner.webContents.id || guest.isCrashed()) throw new Error(t('previewGone'))
    return (await guest.capturePage()).toDataURL()
  })
  handle(CHANNELS.notify, async notification => {
    const parsed = parseNotification(notification)
    if (parsed) await notifications.show(parsed)
  })
  handle(CHANNELS.speak, async asked => {
    const language = typeof asked === 'string' ? languageOf(asked) : undefined
    if (language && speak(language)) onLanguage()
  })
  handle(CHANNELS.setTheme, async theme => {
    if (theme === 'system' || theme === 'light' || theme === 'dark') nativeTheme.themeSource = theme
  })
  handle(CHANNELS.updates, async () => updates.shown())
  handle(CHANNELS.changeUpdates, async asked => {
    const action = UPDATE_ACTIONS.find(one => one === asked)
    if (action) void updates.act(action)
  })
  handle(CHANNELS.background, () => background.state())
  handle(CHANNELS.changeBackground, change => background.change(change))
  handle(CHANNELS.beginAnew, async () => beginAnew())
  handle(CHANNELS.quit, async () => app.quit())

  function handle<T>(channel: string, work: (argument: unknown, owner: BrowserWindow) => Promise<T>): void {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, argument: unknown): Promise<Answer<T>> => {
      const owner = windows.withContents(event.sender.id)
      if (!owner || !isOwnPage(event, owner.webContents)) return { ok: false, reason: 'This page may not ask.' }
      try {
        return { ok: true, value: await work(argument, owner) }
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) }
      }
    })
  }
}
