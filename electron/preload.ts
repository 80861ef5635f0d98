import { contextBridge, ipcRenderer, webUtils } from 'electron'
import {
  type Answer,
  type Background,
  CHANNELS,
  CONVERSATION_WINDOW,
  type Connection,
  type Desktop,
  type DownloadState,
  type Editor,
  type NotificationChoice,
  type Updates,
} from './ipc.ts'

async function ask<T>(channel: string, argument?: unknown): Promise<T> {
  const answer: Answer<T> = await ipcRenderer.invoke(channel, argument)
  if (answer.ok) return answer.value
  throw new Error(answer.reason)
}

function hear<T>(channel: string, heard: (value: T) => void): () => void {
  const listener = (_event: unknown, value: T) => heard(value)
  ipcRenderer.on(channel, listener)
  return () => ipcRenderer.off(channel, listener)
}

const desktop: Desktop = {
  connection: () => ask<Connection>(CHANNELS.connection),
  chooseFolder: () => ask<string | null>(CHANNELS.chooseFolder),
  pathOf: file => webUtils.getPathForFile(file),
  openConversation: id => ask<void>(CHANNELS.openConversation, id),
  isConversationWindow: process.argv.includes(CONVERSATION_WINDOW),
  openExternal: url => ask<void>(CHANNELS.openExternal, url),
  editors: () => ask<Editor[]>(CHANNELS.editors),
  openInEditor: request => ask<void>(CHANNELS.openInEditor, request),
  download: request => ask<void>(CHANNELS.download, request),
  cancelDownload: id => ask<void>(CHANNELS.cancelDownload, id),
  onDownload: heard => hear<DownloadState>(CHANNELS.downloadChanged, heard),
  openPreview: sandboxId => ask<string>(CHANNELS.openPreview, sandboxId),
  pictureOfPreview: contentsId => ask<string>(CHANNELS.pictureOfPreview, contentsId),
  onPreviewDownload: heard => hear<string>(CHANNELS.previewDownload, heard),
  notify: notification => ask<void>(CHANNELS.notify, notification),
  onNotificationChoice: heard => hear<NotificationChoice>(CHANNELS.notificationChoice, heard),
  speak: language => ask<void>(CHANNELS.speak, language),
  setTheme: theme => ask<void>(CHANNELS.setTheme, theme),
  updates: () => ask<Updates>(CHANNELS.updates),
  changeUpdates: action => ask<void>(CHANNELS.changeUpdates, action),
  onUpdates: heard => hear<Updates>(CHANNELS.updatesChanged, heard),
  background: () => ask<Background>(CHANNELS.background),
  changeBackground: change => ask<Background>(CHANNELS.changeBackground, change),
  beginAnew: () => ask<boolean>(CHANNELS.beginAnew),
  quit: () => ask<void>(CHANNELS.quit),
  platform: process.platform,
}

contextBridge.exposeInMainWorld('atelier', desktop)
